package evidence

import (
	"slices"
	"strings"
)

// shape is a kind of token that its first characters give away.
type shape struct {
	kind, prefix string
	min, max     int    // characters after the prefix; max 0 is any
	extra        string // characters allowed beside letters and digits
	accept       func(rest string) bool
}

// shapes are the published forms of common credentials. A length stands for each, so that a word which
// merely begins like one is left alone.
var shapes = []shape{
	{kind: "AWS access key", prefix: "AKIA", min: 16, max: 16, accept: upper},
	{kind: "AWS access key", prefix: "ASIA", min: 16, max: 16, accept: upper},
	{kind: "GitHub token", prefix: "ghp_", min: 30},
	{kind: "GitHub token", prefix: "gho_", min: 30},
	{kind: "GitHub token", prefix: "ghu_", min: 30},
	{kind: "GitHub token", prefix: "ghs_", min: 30},
	{kind: "GitHub token", prefix: "ghr_", min: 30},
	{kind: "GitHub token", prefix: "github_pat_", min: 22, extra: "_"},
	{kind: "GitLab token", prefix: "glpat-", min: 20, extra: "_-."},
	{kind: "Slack token", prefix: "xoxb-", min: 10, extra: "-"},
	{kind: "Slack token", prefix: "xoxp-", min: 10, extra: "-"},
	{kind: "Slack token", prefix: "xoxa-", min: 10, extra: "-"},
	{kind: "Slack token", prefix: "xoxr-", min: 10, extra: "-"},
	{kind: "Slack token", prefix: "xoxs-", min: 10, extra: "-"},
	{kind: "Slack token", prefix: "xapp-", min: 20, extra: "-"},
	{kind: "API key", prefix: "sk-", min: 20, extra: "_-", accept: randomPart},
	{kind: "Google API key", prefix: "AIza", min: 35, max: 35, extra: "_-"},
	{kind: "Stripe key", prefix: "sk_live_", min: 16},
	{kind: "Stripe key", prefix: "rk_live_", min: 16},
	{kind: "Stripe key", prefix: "sk_test_", min: 16},
	{kind: "webhook secret", prefix: "whsec_", min: 24, extra: "+/="},
	{kind: "npm token", prefix: "npm_", min: 36},
	{kind: "PyPI token", prefix: "pypi-", min: 40, extra: "_-"},
	{kind: "Hugging Face token", prefix: "hf_", min: 30},
	{kind: "DigitalOcean token", prefix: "dop_v1_", min: 60},
	{kind: "age key", prefix: "AGE-SECRET-KEY-1", min: 50},
	{kind: "JSON Web Token", prefix: "eyJ", min: 30, extra: "_-.", accept: jwt},
}

// Secrets lists what looks like a secret in a text, in order, without overlap (PS-7, C161).
func Secrets(text string) []Secret {
	var found []Secret
	for i := range shapes {
		found = shapes[i].find(text, found)
	}
	lower := lowerASCII(text)
	found = privateKeys(text, found)
	found = userInfo(text, found)
	found = bearers(text, lower, found)
	for _, name := range secretNames {
		found = assigned(text, lower, name, found)
	}
	slices.SortFunc(found, func(a, b Secret) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return merge(found)
}

// merge joins secrets that overlap: the first one keeps its name.
func merge(all []Secret) []Secret {
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return slices.Clip(out)
}

func (s *shape) find(text string, found []Secret) []Secret {
	for at := 0; ; {
		i := strings.Index(text[at:], s.prefix)
		if i < 0 {
			return found
		}
		start := at + i
		body := start + len(s.prefix)
		end := body + span(text[body:], s.extra)
		at = max(end, body)
		n := end - body
		if start > 0 && alnum(text[start-1]) || n < s.min || s.max > 0 && n > s.max || s.accept != nil && !s.accept(text[body:end]) {
			continue
		}
		found = append(found, Secret{s.kind, start, end})
	}
}

// span counts the letters, digits and extra characters a text begins with.
func span(text, extra string) int {
	for i := range len(text) {
		if !alnum(text[i]) && strings.IndexByte(extra, text[i]) < 0 {
			return i
		}
	}
	return len(text)
}

func alnum(c byte) bool { return digit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func upper(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' }) < 0
}

// randomPart asks for one long run with letters and digits: "sk-learn-compatible-estimators-2" has none.
func randomPart(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) >= 16 && mixed(part) {
			return true
		}
	}
	return false
}

func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, func(r rune) bool { return r > '9' })
}

// jwt asks for header, payload and signature.
func jwt(s string) bool {
	parts := strings.SplitN(s, ".", 4)
	return len(parts) >= 3 && len(parts[0]) >= 7 && strings.HasPrefix(parts[1], "eyJ") && len(parts[2]) >= 10
}

const (
	keyBegin = "-----BEGIN "
	keyEnd   = "-----END "
	keyName  = "PRIVATE KEY"
)

// privateKeys finds private keys by their header (C161). What lies between header and footer is the secret; without a
// footer the rest of the text is.
func privateKeys(text string, found []Secret) []Secret {
	for at := 0; ; {
		i := strings.Index(text[at:], keyBegin)
		if i < 0 {
			return found
		}
		start := at + i
		at = start + len(keyBegin)
		head := text[at:min(len(text), at+40)]
		if !strings.Contains(head, keyName) {
			continue
		}
		j := strings.Index(text[at:], keyEnd)
		if j < 0 {
			return append(found, Secret{"private key", start, len(text)})
		}
		at += j + len(keyEnd)
		if k := strings.Index(text[at:min(len(text), at+60)], "-----"); k >= 0 {
			at += k + len("-----")
		}
		found = append(found, Secret{"private key", start, at})
	}
}

// userInfo finds "scheme://user:password@host".
func userInfo(text string, found []Secret) []Secret {
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return found
		}
		at += i + len("://")
		rest := text[at:min(len(text), at+256)]
		if end := strings.IndexAny(rest, "/ \t\r\n\"'<>`?#"); end >= 0 {
			rest = rest[:end]
		}
		user, ok := cutLast(rest, '@')
		if !ok {
			continue
		}
		if name, password, ok := strings.Cut(user, ":"); ok && password != "" && !blank(password) && !standIn(name, password, rest[len(user)+1:]) {
			start := at + len(name) + 1
			found = append(found, Secret{"password in a URL", start, start + len(password)})
		}
	}
}

// standIn reports whether a password in a URL is what development databases ship with: the user's own name, or a common word
// on this machine ("postgres://postgres:postgres@localhost/test").
func standIn(name, password, host string) bool {
	name, password = lowerASCII(name), lowerASCII(password)
	if name == password {
		return true
	}
	host, _, _ = strings.Cut(host, ":")
	return (host == "localhost" || host == "127.0.0.1") && slices.Contains([]string{"password", "pass", "postgres", "root", "test", "guest"}, password)
}

func cutLast(s string, sep byte) (string, bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return "", false
	}
	return s[:i], true
}

// bearers finds "Authorization: Bearer …", "Basic …" and a bearer token by itself (C161).
func bearers(text, lower string, found []Secret) []Secret {
	for _, scheme := range []string{"bearer ", "basic ", "token "} {
		for at := 0; ; {
			i := strings.Index(lower[at:], scheme)
			if i < 0 {
				break
			}
			start := at + i + len(scheme)
			end := start + span(text[start:], "-._~+/=")
			before := lower[max(0, at+i-20) : at+i]
			at = max(end, start)
			header := strings.HasSuffix(strings.TrimRight(before, " :=\"'"), "authorization")
			value := text[start:end]
			if blank(value) || !header && (scheme != "bearer " || len(value) < 20 || !mixed(value)) || header && len(value) < 6 {
				continue
			}
			found = append(found, Secret{"authorization header", start, end})
		}
	}
	return found
}

// secretNames are the names whose value is a secret. Longer names that end with one ("DB_PASSWORD") count too.
var secretNames = []string{
	"password", "passwd", "pwd", "passphrase", "secret", "secret_key", "secretkey", "client_secret", "api_key", "apikey", "api-key", "x-api-key", "access_key", "accesskey", "accountkey", "private_key",
	"token", "access_token", "auth_token", "api_token", "refresh_token", "senha", "contraseña", "clave", "รหัสผ่าน", "密码", "密碼",
}

// assigned finds "password=…", "secret: …" with a value that is not a placeholder.
func assigned(text, lower, name string, found []Secret) []Secret {
	for at := 0; ; {
		i := strings.Index(lower[at:], name)
		if i < 0 {
			return found
		}
		from := at + i
		at = from + len(name)
		if from > 0 && alnum(text[from-1]) {
			continue
		}
		start, tight := valueStart(text, at)
		if start < 0 {
			continue
		}
		end := start + valueLen(text[start:])
		if secretValue(text[start:end], tight, strings.HasSuffix(name, "token")) {
			found = append(found, Secret{"value of " + name, start, end})
		}
	}
}

// valueStart steps over quotes, white space and one "=" or ":" and returns where the value starts, or -1. Tight means that
// nothing but the sign stood between, as code and shells write it.
func valueStart(text string, at int) (int, bool) {
	i := at + gap(text[at:], "\"'` \t")
	sign := gap(text[i:min(len(text), i+3)], "=:")
	if strings.HasPrefix(text[i:], "\uff1a") {
		sign = len("\uff1a")
	}
	if sign == 0 || sign == 2 || sign == 3 && text[i] < 0x80 {
		return -1, false
	}
	j := i + sign
	j += gap(text[j:], "\"'` \t")
	return j, j == at+1 && text[at] == '='
}

// gap counts leading characters of a set, at most eight.
func gap(text, set string) int {
	n := 0
	for n < len(text) && n < 8 && strings.IndexByte(set, text[n]) >= 0 {
		n++
	}
	return n
}

func valueLen(text string) int {
	if i := strings.IndexAny(text[:min(len(text), 512)], " \t\r\n\"'`,;&)}]<>|"); i >= 0 {
		return i
	}
	return min(len(text), 512)
}

// secretValue weighs the value of a secret's name. Prose behind a colon ("password: required") is no secret.
func secretValue(value string, tight, token bool) bool {
	switch {
	case len(value) < 6 || blank(value) || strings.Contains(value, "(") || strings.Contains(strings.ToLower(value), "env"):
		return false
	case token:
		return len(value) >= 16 && mixed(value)
	case mixed(value):
		return true
	}
	return tight && len(value) >= 6 && !slices.Contains(notSecret, lowerASCII(value))
}

// notSecret are words a test report puts behind a secret's name.
var notSecret = []string{
	"required", "incorrect", "invalid", "missing", "redacted", "disabled", "enabled", "optional", "password", "changed", "expired", "hidden", "unchanged", "rejected",
	"accepted", "undefined", "string", "passed", "failed", "masked", "secret", "changeme", "example", "placeholder", "correct", "default", "present", "absent", "nothing", "omitted",
}

// blank reports whether a value stands for a secret without being one: a variable, a mask, a template, "none".
func blank(value string) bool {
	if value == "" || strings.IndexByte("$<{%*[(!?@", value[0]) >= 0 {
		return true
	}
	low := lowerASCII(value)
	if strings.Trim(low, "x*.•-_#") == "" {
		return true
	}
	for _, word := range []string{"none", "null", "nil", "true", "false", "redacted", "masked", "your", "example", "***", "...", "xxxx", "placeholder", "changeme", "dummy"} {
		if strings.HasPrefix(low, word) {
			return true
		}
	}
	return strings.Contains(low, "***") || strings.Contains(low, "${") || strings.Contains(low, "{{")
}

// lowerASCII lowers ASCII letters only, so that offsets stay those of the text.
func lowerASCII(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
