package daemon

import (
	"encoding/xml"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// odd is a recipe with every character that some scheduler takes for its own.
func odd() Recipe {
	return Recipe{
		Root: `/srv/a b's "x" %h $HOME & <y> \z`, Dwp: "/opt/d w p/dwp", Dwpd: "/opt/d w p/100%/dwpd", Home: "/home/ada", Plan: `/srv/a b's/.dwp/plans/PLAN_50%`,
	}
}

func TestRecipes(t *testing.T) {
	r := odd()
	for kind, want := range map[string][]string{
		"systemd": {
			`ExecStart="/opt/d w p/100%%/dwpd" daemon run --root "/srv/a b's \"x\" %%h $$HOME & <y> \\z" --grace 60s`,
			`Environment="PATH=/opt/d w p:/home/ada/.local/bin:/usr/local/bin:/usr/bin:/bin"`,
		},
		"cron": {
			`*/30 * * * * '/opt/d w p/dwp' -C '/srv/a b'\''s "x" \%h $HOME & <y> \z' turn '/srv/a b'\''s/.dwp/plans/PLAN_50\%' --json >/dev/null 2>&1`,
		},
		"launchd":  {`<string>/srv/a b&#39;s &#34;x&#34; %h $HOME &amp; &lt;y&gt; \z</string>`, `<string>/opt/d w p/100%/dwpd</string>`},
		"openclaw": {`    '/opt/d w p/dwp' -C `, "HEARTBEAT_OK"},
		"hermes":   {"/cron add", `turn '/srv/a b'\''s/.dwp/plans/PLAN_50%' --json`},
	} {
		text, err := r.Text(kind)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %s in\n%s", kind, part, text)
			}
		}
	}
	for _, kind := range RecipeKinds() {
		if RecipeFor(kind) == "" {
			t.Errorf("nothing says what %s is for", kind)
		}
	}
}

// A property list is XML that a parser reads.
func TestRecipeLaunchdIsXML(t *testing.T) {
	r := odd()
	text, err := r.Text("launchd")
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

// A shell reads the words of the cron line as they were meant.
func TestRecipeShellWords(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	for _, word := range []string{odd().Root, odd().Plan, "", "'", `\`, "plain/path-1.2", "~", "*", "a;b", "$(echo x)", "Gr\u00fc\u00dfe"} {
		out, err := exec.Command(sh, "-c", "printf %s "+shellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: the shell reads %q, %v", word, out, err)
		}
	}
}

// What can't stand in a recipe is refused.
func TestRecipeRefuses(t *testing.T) {
	for name, r := range map[string]Recipe{
		"line end":      {Root: "/a\n* * * * * rm"},
		"escape":        {Root: "/a", Plan: "/b\x1b"},
		"systemd quote": {Root: "/a", Dwpd: `/b"c`},
	} {
		if text, err := r.Text("systemd"); err == nil {
			t.Errorf("%s: got\n%s", name, text)
		}
	}
	r := odd()
	if _, err := r.Text("anacron"); err == nil {
		t.Error("a recipe of no known kind")
	}
}
