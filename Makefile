# make run       the box, here: on a Raspberry Pi with its pins, elsewhere simulated   (ARGS="--config my.toml")
# make test      what should pass before a change is shown to anybody
# make pictures  the readers judged, on painted pictures and on samples                (PODESTA_VISION_SAMPLES=…)
# make soak      the big numbers, for an hour with nothing better to do                (SEED=12345)
# make bench     how fast it is                                                        (ARGS="engines --json")
# make deb       Debian packages in build/deb                                          (DEB="bookworm amd64" for one)
# make install   this checkout as a service, asked first; make uninstall takes it back  (sudo)
# make venv      only the environment that `make run` needs
# make clean     back to a fresh checkout

PYTHON ?= python3
ARGS ?=
DEB ?=
ifndef SEED
SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif

BIN := .venv/bin
# The versions that CI tried; `make CONSTRAINTS= …` takes the newest instead.
CONSTRAINTS ?= .ci/constraints-$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])').txt
INSTALL = $(BIN)/pip install --disable-pip-version-check --quiet $$([ ! -f "$(CONSTRAINTS)" ] || echo -c "$(CONSTRAINTS)")
# Some containers say that nothing compiled is kept: then every process would compile all of it again.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest
# What boots a machine of its own for the package; `make soak` does without where it is not there.
PODESTA_BOX_SIM ?= ../shared/box-sim/make-root
# In the order of the folders: by the number of tests, xdist's own, long files of one test would begin last.
ON_ALL_CORES := -n auto --dist loadfile --no-loadscope-reorder
# The camera's and the pins' libraries come with Raspberry Pi OS and are seen through its site packages.
SYSTEM := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo --system-site-packages)

.PHONY: run test types tests pictures soak bench deb install uninstall venv clean

run: venv
	@exec $(BIN)/podesta run $(ARGS)

venv: .venv/.installed

test: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# Types keep one core busy only: they are checked while the tests run.
	@$(MAKE) --no-print-directory -j2 types tests

types: .venv/.installed-dev
	$(BIN)/mypy

tests: .venv/.installed-dev
	@# The first to collect compiles the tests for all workers; once is enough.
	[ -e tests/__pycache__ ] || $(PYTEST) --collect-only >/dev/null 2>&1
	$(PYTEST) $(ON_ALL_CORES)

pictures: .venv/.installed-dev
	$(PYTEST) $(ON_ALL_CORES) -m pictures --durations=5

soak: .venv/.installed-dev
	@echo "seed $(SEED): make soak SEED=$(SEED) plays the same again"
	PODESTA_SEED=$(SEED) $(BIN)/pytest -m soak --timeout=0 --hypothesis-seed=$(SEED) $(ARGS)
	@# The package on a machine of its own, its power cut a hundred times (needs root).
	[ ! -x "$(PODESTA_BOX_SIM)" ] || { $(MAKE) deb DEB="$${PODESTA_DEBIAN:-bookworm} amd64" && \
		PODESTA_BOX_SIM=$(PODESTA_BOX_SIM) PODESTA_CUTS=100 PODESTA_SEED=$(SEED) \
		$(PYTEST) -m machine --timeout=0 -rP tests/machine; }
	$(BIN)/pytest -m "hypothesis and not soak" --hypothesis-profile=soak --timeout=0 --hypothesis-seed=$(SEED)
	@echo "seed $(SEED)"

bench: .venv/.installed-bench
	$(BIN)/podesta bench $(ARGS)

deb: venv
	@systemd/deb/build $(DEB)

install: venv
	@systemd/install

uninstall:
	@systemd/install --remove

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find device engines vision tests -name __pycache__ -type d -exec rm -rf {} +

# pip is the last thing to arrive in an environment: without it, one was left half made.
$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { echo "No $(PYTHON) here. Podestà needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$$($(PYTHON) --version) is too old. Podestà needs Python 3.11 or newer: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make environments. On Debian and Raspberry Pi OS: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Making .venv, an environment of its own for Podestà ..."
	@$(PYTHON) -m venv --clear $(SYSTEM) .venv

.venv/.installed .venv/.installed-dev .venv/.installed-bench: pyproject.toml $(wildcard .ci/constraints-*.txt) | $(BIN)/pip

.venv/.installed:
	@echo "Installing Podestà and the packages it needs into .venv: about a minute, the first time only."
	@$(INSTALL) -e '.[box]'
	@echo "Installed. The box prints its address once it is ready."
	@touch $@

.venv/.installed-dev:
	$(INSTALL) -e '.[dev]'
	@touch .venv/.installed $@

.venv/.installed-bench:
	$(INSTALL) -e '.[bench]'
	@touch .venv/.installed $@
