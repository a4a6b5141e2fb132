package evidence

import (
	"strings"
	"testing"
)

// The tokens of these tests are put together here, so that no scanner takes this file for a leak.
var (
	letters = strings.Repeat("aB3dE6gH", 8)
	caps    = strings.Repeat("A2C4", 4)
)

// PS-7, C161: token shapes, key headers and assignments are secrets; the place is theirs to the byte.
func TestSecrets(t *testing.T) {
	for _, test := range []struct{ before, secret, after, kind string }{
		{"key ", "AK" + "IA" + caps, " used", "AWS access key"},
		{"", "AS" + "IA" + caps, "", "AWS access key"},
		{"push with ", "gh" + "p_" + letters[:36], ".", "GitHub token"},
		{"", "gh" + "s_" + letters[:36], "", "GitHub token"},
		{"", "github" + "_pat_" + letters[:22] + "_" + letters[:59], "", "GitHub token"},
		{"", "gl" + "pat-" + letters[:20], "", "GitLab token"},
		{"", "xo" + "xb-123456789012-" + letters[:24], "", "Slack token"},
		{"", "s" + "k-" + letters[:48], "", "API key"},
		{"", "s" + "k-ant-api03-" + letters[:40] + "-" + letters[:20], "", "API key"},
		{"", "s" + "k-proj-" + letters[:40], "", "API key"},
		{"", "AI" + "za" + letters[:35], "", "Google API key"},
		{"", "sk" + "_live_" + letters[:24], "", "Stripe key"},
		{"", "np" + "m_" + letters[:36], "", "npm token"},
		{"", "py" + "pi-" + letters[:60], "", "PyPI token"},
		{"", "ey" + "J" + letters[:20] + ".eyJ" + letters[:20] + "." + letters[:30], "", "JSON Web Token"},
		{"Authorization: Bearer ", letters[:24], "", "authorization header"},
		{"curl -H 'authorization: bearer ", letters[:24], "' x", "authorization header"},
		{"Authorization: Basic ", letters[:16] + "==", "", "authorization header"},
		{"bearer ", letters[:24], "", "authorization header"},
		{"", "-----BEGIN RSA " + "PRIVATE KEY-----\nMII\n-----END RSA " + "PRIVATE KEY-----", " done", "private key"},
		{"cat ", "-----BEGIN " + "PRIVATE KEY----- MIIcut", "", "private key"},
		{"db postgres://app:", "s3" + "cretpw", "@db/quotes", "password in a URL"},
		{"pass" + "word=", "hunter" + "22", " ok", "value of password"},
		{"DB_PASS" + "WORD=", "hunter" + "22", "", "value of password"},
		{`{"pass` + `word": "`, "hunter" + "22", `"}`, "value of password"},
		{"secret: ", "q9x" + "7y2k4", "", "value of secret"},
		{"api_" + "key=", "q9x" + "7y2k4", "", "value of api_key"},
		{"token=", "q9x7y2k4" + "q9x7y2k4", "", "value of token"},
		{"pass" + "word=", "correct" + "horse", "", "value of password"},
		{"senha: ", "tr0ca" + "isto", "", "value of senha"},
		{"contraseña: ", "c4mbia" + "esto", "", "value of contraseña"},
		{"密码：", "hunter" + "22", "", "value of 密码"},
	} {
		text := test.before + test.secret + test.after
		got := Secrets(text)
		want := Secret{test.kind, len(test.before), len(test.before) + len(test.secret)}
		if len(got) != 1 || got[0] != want {
			t.Errorf("Secrets(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func TestSecretsLeaveAlone(t *testing.T) {
	for _, text := range []string{
		"", "14 passed, 0 failed", "risk-assessment-of-the-quote-service-2", "sk-learn-compatible-estimators-version-2", "task-list", "pass" + "word=***", "pass" + "word=$DB_PASSWORD", "pass" + "word=${DB}", "pass" + "word=<your>",
		"token: none", "pass" + "word: required", "pass" + "word: must be 8 characters", "secret=", "tokens: 123456 used", "secret := os.Getenv(x)", "pass" + "word=os.environ[\"X\"]", "api_" + "key={{KEY}}", "pass" + "word=xxxxxxxx",
		"sha256:" + strings.Repeat("0a1b2c3d", 8), strings.Repeat("0a1b2c3d", 5), "123e4567-e89b-12d3-a456-426614174000", "commit 3f2a1bc", "Authorization: Bearer ...", "Authorization: Bearer $TOKEN", "the bearer of bad news", "bearer token",
		"-----BEGIN CERTIFICATE-----", "https://example.com/a:b@c", "https://user@example.com", "postgres://app:$PW@db", "postgres://postgres:postgres@localhost:5432/test", "amqp://guest:guest@mq:5672", "mysql://app:test@127.0.0.1/x", "ssh://git@github.com:22/x", "AKIA is a prefix", "npm_config_cache", "pypi-server", "eyJhbGci is a start",
		"TestPassword=aBc123xyz", "password_test.go:12", "secret::Store is used", "passwords: 123456", "basic authorization works", "token count: 123", "MAKIA" + caps,
	} {
		if got := Secrets(text); len(got) != 0 {
			t.Errorf("Secrets(%q) = %+v, want none", text, got)
		}
	}
}

// Several secrets come in order and don't overlap.
func TestSecretsSeveral(t *testing.T) {
	token := "gh" + "p_" + letters[:36]
	text := "pass" + "word=hunter22 token=" + token + " again " + token
	got := Secrets(text)
	if len(got) != 3 {
		t.Fatalf("Secrets = %+v, want three", got)
	}
	for i, want := range []string{"hunter22", token, token} {
		if s := text[got[i].Start:got[i].End]; s != want {
			t.Errorf("secret %d is %q, want %q", i, s, want)
		}
	}
}

// PS-7: a display name at most.
func TestPersonal(t *testing.T) {
	for name, want := range map[string]string{
		"ana@example.com": "ana@example.com", "Ana <ana.b+x@mail.example.co>": "ana.b+x@mail.example.co", "+55 11 91234-5678": "+55 11 91234-5678", "Ana (11) 91234-5678": "(11) 91234-5678",
		"call 555-123-4567": "555-123-4567", "joão@exemplo.com.br": "joão@exemplo.com.br", "+1234567": "+1234567",
	} {
		if got, ok := Personal(name); !ok || got.Text != want {
			t.Errorf("Personal(%q) = %+v, %t, want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{
		"", "claude-code", "Ana B.", "gpt-5.1", "claude-opus-4-1-20250805", "codex 0.1.2", "gemini-2.5-pro", "2026-09-01", "@ana", "ana@home", "actions/checkout@v4.1", "Ana 3", "10.0.22631.4169", "model 20250805", "王", "a@b", "@", "+",
	} {
		if got, ok := Personal(name); ok {
			t.Errorf("Personal(%q) = %+v, want none", name, got)
		}
	}
}
