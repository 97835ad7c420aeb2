"""Tests of the tool-info module: `PYTHONPATH=contrib python3 -m unittest toolinfo.test_wedge`.

They are skipped where BenchExec is not installed.
"""

import unittest

try:
    import benchexec.result as result
    from benchexec.tools.template import BaseTool2
    from benchexec.util import ProcessExitCode
    from toolinfo import wedge
except ImportError as missing:
    raise unittest.SkipTest(f"BenchExec is not installed: {missing}")

LIMITS = dict(cputime=900, memory=15_000_000_000, walltime=None, cputime_hard=None, cpu_cores=4)


def limits(**changes):
    wanted = {**LIMITS, **changes}
    known = BaseTool2.ResourceLimits._fields
    return BaseTool2.ResourceLimits(**{k: v for k, v in wanted.items() if k in known})


class CommandLine(unittest.TestCase):
    def of(self, file, property_file=None, options=None, own=(), **changes):
        task = BaseTool2.Task.with_files([file], property_file=property_file, options=options)
        return wedge.Tool().cmdline("wedge", list(own), task, limits(**changes))

    def test_a_program_with_its_property_and_data_model(self):
        line = self.of("a.c", "p.prp", {"language": "C", "data_model": "LP64"})
        self.assertEqual(line[:2], ["wedge", "check"])
        self.assertEqual(line[-2:], ["--", "a.c"])
        for pair in (["--property", "p.prp"], ["--data-model", "LP64"], ["--cores", "4"]):
            at = line.index(pair[0])
            self.assertEqual(line[at : at + 2], pair)
        self.assertLess(int(line[line.index("--memory") + 1]), LIMITS["memory"])

    def test_options_of_the_definition_count(self):
        line = self.of("a.c", "p.prp", {"data_model": "ILP32"}, ["--data-model", "LP64"])
        self.assertEqual(line.count("--data-model"), 1)

    def test_a_circuit_has_its_own_properties(self):
        self.assertNotIn("--property", self.of("a.btor2", "p.prp"))

    def test_other_languages_are_refused(self):
        with self.assertRaises(wedge.UnsupportedFeatureException):
            self.of("a.java", "p.prp", {"language": "Java"})


class Results(unittest.TestCase):
    def of(self, *lines, exit_code=0, reason=None):
        code = ProcessExitCode.create(value=exit_code)
        output = BaseTool2.RunOutput([line + "\n" for line in lines])
        return wedge.Tool().determine_result(BaseTool2.Run(("wedge",), code, output, reason))

    def test_verdicts(self):
        self.assertEqual(self.of("bound 3", "TRUE"), result.RESULT_TRUE_PROP)
        self.assertEqual(self.of("FALSE(unreach-call)", exit_code=10), result.RESULT_FALSE_REACH)
        self.assertEqual(self.of("FALSE(no-overflow)"), result.RESULT_FALSE_OVERFLOW)
        self.assertEqual(self.of("FALSE(valid-deref)"), result.RESULT_FALSE_DEREF)
        self.assertEqual(self.of("property 0: TRUE", "FALSE(bad)"), "false(bad)")

    def test_no_verdict(self):
        unknown = "UNKNOWN(unsupported property CHECK( init(main()), LTL(F end) ))"
        self.assertEqual(self.of(unknown, exit_code=30), result.RESULT_UNKNOWN)
        self.assertEqual(self.of("UNKNOWN(timeout)", exit_code=30), "TIMEOUT")
        self.assertEqual(self.of("UNKNOWN(out of memory)", exit_code=30), "OUT OF MEMORY")
        self.assertTrue(self.of("wedge: a.c:1: no", exit_code=2).startswith(result.RESULT_ERROR))
        self.assertEqual(self.of("TRUE", "wedge: a late message"), result.RESULT_TRUE_PROP)


if __name__ == "__main__":
    unittest.main()
