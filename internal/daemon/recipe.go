package daemon

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
)

// Recipe is what a recipe is made of. All paths are absolute.
type Recipe struct {
	Root      string
	Dwp, Dwpd string
	Home      string
	Plan      string // folder of one plan; "" for the only open one, or the queue
}

// RecipeKinds are the kinds of recipes.
func RecipeKinds() []string { return []string{"systemd", "cron", "launchd", "openclaw", "hermes"} }

// RecipeFor says what a kind is for.
func RecipeFor(kind string) string {
	switch kind {
	case "systemd":
		return "a user unit of Linux that keeps the daemon running"
	case "cron":
		return "a line of crontab that takes one turn each half hour; no daemon"
	case "launchd":
		return "a property list of macOS that keeps the daemon running"
	case "openclaw":
		return "a part of HEARTBEAT.md: each heartbeat takes one turn; no daemon"
	case "hermes":
		return "a job of its scheduler that takes one turn; no daemon"
	}
	return ""
}

// Text writes a recipe. A path that can't stand in it is refused, never bent.
func (r *Recipe) Text(kind string) (string, error) {
	for _, path := range []string{r.Root, r.Dwp, r.Dwpd, r.Plan} {
		if strings.ContainsFunc(path, unicode.IsControl) {
			return "", fmt.Errorf("the path %q has a control character, which can't stand in a recipe", path)
		}
	}
	switch kind {
	case "systemd":
		return r.systemd()
	case "cron":
		return r.cron(), nil
	case "launchd":
		return r.launchd()
	case "openclaw":
		return r.openClaw(), nil
	case "hermes":
		return r.hermes(), nil
	}
	return "", fmt.Errorf("there is no recipe %q", kind)
}

func (r *Recipe) systemd() (string, error) {
	// The path of the program can be quoted, but some characters in it are refused, or mean themselves there and not in arguments.
	if strings.ContainsAny(r.Dwpd, `"\$`) {
		return "", fmt.Errorf("systemd takes no program of the path %q", r.Dwpd)
	}
	return `# ~/.config/systemd/user/dwp.service
#   systemctl --user daemon-reload
#   systemctl --user enable --now dwp.service
#   loginctl enable-linger        # to run while you are not logged in
# The agent needs its key: systemctl --user edit dwp.service, then a line
# EnvironmentFile= with a file that only you may read.
[Unit]
Description=Turns of Deep Work Plans

[Service]
Type=exec
ExecStart=` + systemdWord(r.Dwpd) + ` daemon run --root ` + systemdWord(r.Root) + ` --grace 60s
Environment=` + systemdQuote("PATH="+r.path()) + `
# A stop lets the running turn leave a checkpoint: --grace, and some more.
TimeoutStopSec=90
KillMode=mixed
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`, nil
}

// systemdWord quotes an argument of a command in a unit file; a dollar sign begins a variable there.
func systemdWord(word string) string { return systemdQuote(strings.ReplaceAll(word, "$", "$$")) }

// systemdQuote quotes a text in a unit file. A percent sign begins a specifier.
func systemdQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(text) + `"`
}

// path is where programs are looked for: beside dwp, and in the usual places.
func (r *Recipe) path() string {
	dirs := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	if r.Home != "" {
		dirs = append([]string{filepath.Join(r.Home, ".local", "bin")}, dirs...)
	}
	if dir := filepath.Dir(r.Dwp); dir != "." {
		dirs = append([]string{dir}, dirs...)
	}
	var once []string
	for _, dir := range dirs {
		if !strings.Contains(":"+strings.Join(once, ":")+":", ":"+dir+":") {
			once = append(once, dir)
		}
	}
	return strings.Join(once, ":")
}

// turn is the command of one turn, for a shell.
func (r *Recipe) turn() string {
	words := []string{shellWord(r.Dwp), "-C", shellWord(r.Root), "turn"}
	if r.Plan != "" {
		words = append(words, shellWord(r.Plan))
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a shell of POSIX.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+=:,@", r))
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func (r *Recipe) cron() string {
	// In a crontab a percent sign ends the command, unless a backslash stands before it; the shell gets it without.
	command := strings.ReplaceAll(r.turn(), "%", `\%`)
	return `# crontab -e: a turn each half hour. One that finds nothing to do, or a turn
# that runs still, changes nothing. Cron's PATH is short; the agent needs its own.
PATH=` + r.path() + `
*/30 * * * * ` + command + ` --json >/dev/null 2>&1
`
}

func (r *Recipe) launchd() (string, error) {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/com.deepworkplan.dwp.plist
     launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/com.deepworkplan.dwp.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>com.deepworkplan.dwp</string>
  <key>ProgramArguments</key>
  <array>
`)
	for _, word := range []string{r.Dwpd, "daemon", "run", "--root", r.Root, "--grace", "60s"} {
		b.WriteString("    <string>")
		if err := xml.EscapeText(&b, []byte(word)); err != nil {
			return "", err
		}
		b.WriteString("</string>\n")
	}
	b.WriteString("  </array>\n  <key>EnvironmentVariables</key>\n  <dict><key>PATH</key><string>")
	if err := xml.EscapeText(&b, []byte(r.path())); err != nil {
		return "", err
	}
	b.WriteString(`</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>90</integer>
</dict>
</plist>
`)
	return b.String(), nil
}

// beat is what an agent with a scheduler of its own is told.
func (r *Recipe) beat() string {
	return `Run this command once, and wait for it; it may take up to an hour:
    ` + r.turn() + ` --json
It wakes the agent that does the work, in a process of its own. Do none of the
plan's work yourself, run no other dwp command, and edit no file of the plan.
Exit code 0, 1 or 4: there is nothing to tell. 5: tell the person "stop" of the
answer, in its words. Any other code: tell the person the "error" of the answer.`
}

func (r *Recipe) openClaw() string {
	return `<!-- Put this into HEARTBEAT.md of the workspace; how often is set with
     openclaw config set agents.defaults.heartbeat.every 30m
     From OpenClaw's public documentation; nobody has tried it here. -->
## Deep Work Plan

` + r.beat() + `
When there is nothing to tell, answer HEARTBEAT_OK.
`
}

func (r *Recipe) hermes() string {
	return `# Say this to Hermes, in a conversation; /cron list shows the job then. Its
# scheduler has to run: hermes cron status.
# From its public documentation; nobody has tried it here.
/cron add "every 30m" ` + r.beat() + `
`
}
