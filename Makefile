# The commands that a newcomer needs: make demo, make test. `make check` and `make bench` are for people who change things.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

DEMO_RUN   ?= demo-run
DEMO_GAMES ?= 20000
DEMO_DECKS ?= starter-red-blue starter-green-purple community-rb-gun community-bp-dragon community-gp-big
SOAK_MINUTES ?= 60
GAMES      ?= 10000
SEED       ?= 0
EXTRAS     ?= dev

.PHONY: demo test check soak differential bench install clean

# A new environment, and a new install whenever pyproject.toml changes.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "cardmill needs Python 3.11 or later; $(PYTHON) is older. Try: make PYTHON=python3.12 ..."; exit 2; }
	@echo "==> Making the environment $(VENV) and installing cardmill into it (once; some minutes on a slow network)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]'
	@touch $(STAMP)

install: $(STAMP)

demo: $(STAMP)
	@echo "==> Playing $(DEMO_GAMES) games for each pair of: $(DEMO_DECKS)"
	@echo "    (the very first run compiles the engine, about a minute; results go to $(DEMO_RUN)/)"
	@$(BIN)/cardmill run $(DEMO_DECKS) --games $(DEMO_GAMES) --agent greedy --seed 7 --out $(DEMO_RUN)
	@echo "==> Making the report"
	@$(BIN)/cardmill report $(DEMO_RUN)
	@echo "==> Done. Open this file in a browser: $(abspath $(DEMO_RUN)/report.html)"

test: $(STAMP)
	@echo "==> Checking style, types, layers and cards"
	@$(MAKE) --no-print-directory check
	@echo "==> Running the tests (what needs a browser, a C compiler, Ray or an S3 server is skipped where that is missing)"
	@$(BIN)/python -m pytest

check: $(STAMP)
	@echo "==> ruff";          $(BIN)/ruff check .
	@echo "==> mypy";          $(BIN)/mypy
	@echo "==> import-linter"; $(BIN)/lint-imports
	@echo "==> cards and decks"; $(BIN)/cardmill check sim/games

soak: $(STAMP)
	@echo "==> Playing for $(SOAK_MINUTES) minutes: every game, random and built-in decks, every player, every state validated (a checked build: compiles it first)"
	@CARDMILL_CHECKED=1 $(BIN)/python -m tests.kernels.soak --minutes $(SOAK_MINUTES)

differential: $(STAMP)
	@echo "==> Playing $(GAMES) games in the kernel and in the reference, side by side (about five a second)"
	@$(BIN)/python -m tests.differential.runner --games $(GAMES) --seed $(SEED) --go-on \
	    --decks legal stress --players uniform moody greedy mixed

bench: $(STAMP)
	@echo "==> Benchmarks (let the machine do nothing else meanwhile)"
	@$(BIN)/python -m bench

clean:
	@echo "==> Removing the environment and the demo run"
	@rm -rf $(VENV) $(DEMO_RUN)
