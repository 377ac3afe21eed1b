# make demo: build Isthmus and run the tour. make test: every test and check.
# make check: the checks that take seconds. make wheel: dist for PyPI. make bench: the benchmarks.
# Everything lands in .venv and build/; nothing needs root.
PYTHON ?= python3
PRESETS := asan tsan
VENV := $(CURDIR)/.venv
RUN := $(VENV)/bin/python
# As many processes as processors, at most eight.
PYTEST := $(RUN) -m pytest -q --numprocesses auto --maxprocesses 8 --dist worksteal
CTEST := ctest --no-tests=error --parallel $(shell nproc)
export PATH := $(VENV)/bin:$(PATH)
# Python itself is not built with AddressSanitizer, so that the runtime library has to come first.
# What the interpreter keeps until its end is no leak of ours.
UNDER_ASAN = LD_PRELOAD="$$(for name in asan ubsan stdc++; do g++ -print-file-name=lib$$name.so; done | tr '\n' ' ')" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=build/asan/python
ASAN_TESTS = tests/exchange $(addprefix tests/device/test_,\
	$(addsuffix .py,huge_extents indexing laziness linalg linalg_errors looking methods random_programs \
	struct_fields)) \
	tests/repo/test_blocks.py tests/repo/test_wrong_self.py
# What calculates, of what does not run both ways by itself as tests/device does.
# Cycles of garbage calculate nothing.
EAGER_TESTS = tests/exchange $(addprefix tests/repo/test_,\
	$(addsuffix .py,blocks config docs examples logging messages misuse missing pickling printing \
	settings wrong_calls))
# Headers that tools/get_debian_packages.sh unpacked, where they are not installed.
DEBIAN := $(CURDIR)/build/debian/usr/include
export CMAKE_ARGS = $(if $(wildcard $(DEBIAN)/python3.11),-DPython_INCLUDE_DIR=$(DEBIAN)/python3.11)
export CPATH := $(if $(wildcard $(DEBIAN)/python3.11),$(DEBIAN):)$(CPATH)
.DEFAULT_GOAL := demo

.PHONY: demo test check wheel bench
demo: $(VENV)/.demo
	$(call build,release,--target _isthmus)
	$(RUN) tools/link_build.py build/release/python
	$(RUN) examples/tour.py

test: $(VENV)/.test
	PYTHON=$(PYTHON) tools/get_debian_packages.sh gtest pocl
	$(call build,release)
	$(RUN) tools/link_build.py build/release/python
	$(MAKE) --no-print-directory check
	$(CTEST) --preset release
	$(PYTEST) tests
	ISTHMUS_EAGER=1 $(PYTEST) $(EAGER_TESTS) --ignore=tests/exchange/test_garbage.py \
		-m "not slow" -k "not compiles"
	$(call build,cpp)
	tools/run_install.sh build/cpp $(VENV)
	if command -v doxygen >/dev/null; then $(call build,release,--target reference); \
	else echo "there is no doxygen: the reference is not made"; fi
ifneq ($(ISTHMUS_TEST_SANITIZERS),0)
	$(foreach preset,$(PRESETS),$(call build,$(preset)) && $(CTEST) --preset $(preset) &&) true
	$(UNDER_ASAN) $(PYTEST) $(ASAN_TESTS)
endif

check: $(VENV)/.test
	$(RUN) tools/check_layers.py
	$(RUN) tools/check_sizes.py
	clang-format --dry-run --Werror $$(find isthmus python tests examples -name '*.h' -o -name '*.cpp')
	ruff check .
	ruff format --check .
	mypy

wheel: $(VENV)/.test
	rm -rf build/dist dist
	$(RUN) -m pip wheel --no-build-isolation --no-deps --wheel-dir build/dist .
	auditwheel repair --exclude libtbb.so.12 --exclude libsycl.so.9 --exclude 'libmkl_*' --wheel-dir dist build/dist/isthmus-*.whl
	auditwheel show dist/isthmus-*.whl

bench: $(VENV)/.test
	$(call build,release,--target _isthmus)
	$(RUN) tools/link_build.py build/release/python
	for script in bench/*.py; do $(RUN) $$script || exit 1; done

build = cmake --preset $(1) $(CMAKE_ARGS) && cmake --build --preset $(1) $(2)

$(VENV)/.demo $(VENV)/.test: $(VENV)/.%: requirements/%.txt $(wildcard requirements/*.txt)
	PYTHON=$(PYTHON) tools/get_debian_packages.sh python
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@
