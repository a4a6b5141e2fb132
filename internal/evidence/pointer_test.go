package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// PS-12, C81: a log under the plan's own analysis_results/, or one that leads out of it.
func TestPointers(t *testing.T) {
	in := func(paths ...string) (out []Pointer) {
		for _, p := range paths {
			out = append(out, Pointer{p, true})
		}
		return out
	}
	out := func(p string) []Pointer { return []Pointer{{p, false}} }
	for text, want := range map[string][]Pointer{
		"log=analysis_results/x.log":                           in("analysis_results/x.log"),
		"14 passed; log=analysis_results/x.log":                in("analysis_results/x.log"),
		"Log: `analysis_results/x.log`.":                       in("analysis_results/x.log"),
		"see analysis_results/gates/3.log":                     in("analysis_results/gates/3.log"),
		"14 passed (see analysis_results/gates/3.log)":         in("analysis_results/gates/3.log"),
		"analysis_results/x.log":                               in("analysis_results/x.log"),
		"./analysis_results/x.log":                             in("./analysis_results/x.log"),
		"analysis_results/x.log:12":                            in("analysis_results/x.log"),
		"analysis_results/x.md#run":                            in("analysis_results/x.md"),
		"14 passed, analysis_results/a.log analysis_results/b": in("analysis_results/a.log", "analysis_results/b"),
		"log=analysis_results/a.log, analysis_results/a.log":   in("analysis_results/a.log"),
		`analysis_results\x.log`:                               in(`analysis_results\x.log`),
		"analysis_results/a/../x.log":                          in("analysis_results/a/../x.log"),
		"output: analysis_results/x.log":                       in("analysis_results/x.log"),
		"log\uff1aanalysis_results/x.log":                      in("analysis_results/x.log"),
		"见 analysis_results/x.log":                             in("analysis_results/x.log"),
		"analysis_results/../../x":                             out("analysis_results/../../x"),
		"log=../outside.log":                                   out("../outside.log"),
		"log=x.log":                                            out("x.log"),
		"/abs/file.log":                                        out("/abs/file.log"),
		"log=/abs/file":                                        out("/abs/file"),
		`..\x`:                                                 out(`..\x`),
		`log=C:\x\y.log`:                                       out(`C:\x\y.log`),
		"analysis_results/..":                                  out("analysis_results/.."),
		"build/out/report.xml":                                 out("build/out/report.xml"),
		"14 passed in src/app/main_test.go":                    nil,
		"ran=10/10":                                            nil,
		"10/10":                                                nil,
		"ran=14/14; 14 passed, 0 failed":                       nil,
		"log: 14 lines":                                        nil,
		"see above":                                            nil,
		"see https://ci.example.com/run/1":                     nil,
		"https://ci.example.com/run/1.html":                    nil,
		"passed/failed":                                        nil,
		"analysis_results/":                                    nil,
		"the analysis_results folder":                          nil,
		"log=":                                                 nil,
		"":                                                     nil,
		"ok  example.com/app/rates 0.8s":                       nil,
		"executed=0.8s":                                        nil,
		"log: 10/10":                                           nil,
		"see ../x.log":                                         out("../x.log"),
		"output: /tmp/x.log":                                   out("/tmp/x.log"),
		"log: /var/log/x":                                      out("/var/log/x"),
		"see analysis_results/gates/*.log":                     in("analysis_results/gates/*.log"),
		"14 passed; see rates/parse_test.go":                   nil,
		"14 passed; report: build/coverage/index.html":         nil,
		"output: lint/type/test all pass":                      nil,
		"14 passed; log lines/s: 200":                          nil,
		"see /login":                                           nil,
		"ver docs/rates.md; 14 pruebas pasaron":                nil,
	} {
		if diff := cmp.Diff(want, Pointers(text)); diff != "" {
			t.Errorf("Pointers(%q) (-want +got):\n%s", text, diff)
		}
	}
}
