package evidence

import (
	"strings"
	"testing"
)

// UN-6: a criterion that names a person's approval is known; what is near it is not taken.
func TestHumanGate(t *testing.T) {
	for text, want := range map[string]string{
		"The tariff table is approved by Ana.":                           "approved by Ana",
		"Sign-off from the owner is in the log":                          "Sign-off from the owner",
		"the maintainer confirms the list of renamed fields":             "maintainer confirms",
		"Manual approval before the tables are dropped":                  "Manual approval",
		"Human review by the security team":                              "Human review by the security team",
		"A person approves the final wording":                            "person approves",
		"The product owner accepts":                                      "product owner accepts",
		"All texts were translated, and **approved by the customer**":    "approved by the customer",
		"o dono do produto aprova o texto":                               "dono do produto aprova",
		"Aprovado pela Ana, com data":                                    "Aprovado pela Ana",
		"la responsable confirma el resultado":                           "responsable confirma",
		"เจ้าของผลิตภัณฑ์อนุมัติข้อความ":                                 "เจ้าของผลิตภัณฑ์อนุมัติ",
		"负责人批准发布":                                                        "负责人批准",
		"the API approves the request":                                   "",
		"approval tests pass":                                            "",
		"signed binaries":                                                "",
		"The binaries are signed by the build":                           "",
		"review log written":                                             "",
		"code review comment parser":                                     "",
		"GET /approvals returns what was approved by Ana":                "",
		"An order is approved by the manager in two clicks":              "",
		"If a maintainer confirms, the row turns green":                  "",
		"the user confirms the dialog and the record is gone":            "",
		"no human approval is asked for":                                 "",
		"`go test ./...` passes, and the review of the diff is recorded": "",
		"o servidor confirma a compra":                                   "",
		"la prueba confirma el resultado":                                "",
		"ระบบอนุมัติคำขอ":                                                "",
		"系统自动批准请求":                                                       "",
		"":                                                               "",
	} {
		if got, ok := HumanGate(text); got != want || ok != (want != "") {
			t.Errorf("HumanGate(%q) = %q, %t; want %q", text, got, ok, want)
		}
	}
}

// What is found stands in the text, and nothing panics.
func FuzzHumanGate(f *testing.F) {
	for _, p := range humanTopic().phrases {
		for _, text := range append(p.examples, p.counters...) {
			f.Add(text)
		}
	}
	f.Add("approved by \u00c9\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		words, ok := HumanGate(text)
		if ok != (words != "") || !strings.Contains(text, words) {
			t.Errorf("HumanGate(%q) = %q, %t", text, words, ok)
		}
	})
}
