package agent

import (
	"runtime"
	"slices"
	"strings"
)

// baseEnv are the variables that every program needs, whichever agent is run: who and where the user is, language and terminal, proxies,
// and what builds and tests of the common tools find their caches by. What is not named here or by the agent is not passed: a turn runs
// for hours with nobody watching, and the credentials of the shell that started it are none of its business (AG-5).
func baseEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "NO_COLOR", "TMPDIR", "TMP", "TEMP", "TZ",
		"XDG_*", "SSH_AUTH_SOCK", "DWP_DIR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CI",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
		"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOENV", "GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB",
		"GOTOOLCHAIN", "GOTMPDIR", "CGO_ENABLED", "CC", "CXX", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH",
		"JAVA_HOME", "MAVEN_OPTS", "MAVEN_HOME", "M2_HOME", "GRADLE_USER_HOME", "GRADLE_OPTS", "ANDROID_HOME", "ANDROID_SDK_ROOT",
		"NODE_PATH", "NODE_OPTIONS", "NODE_ENV", "NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "COREPACK_HOME", "BUN_INSTALL",
		"npm_config_cache", "npm_config_prefix", "npm_config_registry", "npm_config_userconfig", "NPM_CONFIG_CACHE", "NPM_CONFIG_PREFIX", "NPM_CONFIG_REGISTRY",
		"NPM_CONFIG_USERCONFIG",
		"CARGO_HOME", "CARGO_TARGET_DIR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS",
		"VIRTUAL_ENV", "PYENV_*", "PYTHONPATH", "PYTHONHOME", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_HOME",
		"GEM_HOME", "GEM_PATH", "RBENV_ROOT", "BUNDLE_PATH", "COMPOSER_HOME", "DOTNET_ROOT", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "NIX_PATH", "NIX_PROFILES",
	}
}

// windowsEnv is what programs on Windows fail without. Names don't distinguish case there.
func windowsEnv() []string {
	return []string{"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH",
		"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "PUBLIC", "OS",
		"NUMBER_OF_PROCESSORS", "PROCESSOR_*"}
}

// environ is the environment of the agent: what the lists allow of the caller's, and what is set for it. It is never nil, which would
// mean all of it.
func (a *Adapter) environ(c Call) []string {
	return filtered(c, append(baseEnv(), a.Env...), runtime.GOOS == "windows")
}

// filtered keeps what is allowed, in the caller's order, then Set. A variable that Set gives is not inherited.
func filtered(c Call, allow []string, windows bool) []string {
	if windows {
		allow = append(allow, windowsEnv()...)
	}
	set := make([]string, len(c.Set))
	for i, s := range c.Set {
		set[i], _, _ = strings.Cut(s, "=")
	}
	kept := []string{}
	for _, variable := range c.Env {
		name, _, ok := strings.Cut(variable, "=")
		if ok && name != "" && named(name, allow, windows) && !named(name, set, windows) {
			kept = append(kept, variable)
		}
	}
	return append(kept, c.Set...)
}

// loosens reports whether a variable's name says that an agent asks nobody any more, or leaves its sandbox: COPILOT_ALLOW_ALL,
// CODEX_UNSAFE_ALLOW_NO_SANDBOX. What a turn may do is said by its arguments (UN-1), and not by what the shell that started it had once set.
func loosens(name string) bool {
	return speaksOf(name, "ALLOW_ALL", "UNSAFE", "DANGEROUS", "YOLO", "SKIP_PERMISSION")
}

// speaksOf reports whether one of some words stands in a variable's name.
func speaksOf(name string, words ...string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// named reports whether a list names a variable: "NAME", or "NAME_*" for all that begin so, but those that loosen: they are named in full.
func named(name string, list []string, fold bool) bool {
	if fold {
		name = strings.ToUpper(name)
	}
	return slices.ContainsFunc(list, func(pattern string) bool {
		if fold {
			pattern = strings.ToUpper(pattern)
		}
		if start, all := strings.CutSuffix(pattern, "*"); all {
			return strings.HasPrefix(name, start) && !loosens(name)
		}
		return name == pattern
	})
}

// secretValues are the values to mask in what the agent prints (AG-5, PS-7): those of variables whose names say that they are secret.
func secretValues(env []string) []string {
	// A short value is a word or a number that would be masked all over the output.
	const least = 8
	var values []string
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		if len(value) >= least && speaksOf(name, "KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL") {
			values = append(values, value)
		}
	}
	return values
}
