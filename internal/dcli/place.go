package dcli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/deepworkplan/dwp/internal/git"
)

// place is where a queue is: the root of its plans, and its database.
type place struct {
	root string // absolute, free of links
	git  string // top of the work tree that it is in; "" for none, or not known
	db   daemon.Where
}

// urlVariable names the database without its password being seen in a list of processes.
const urlVariable = "DWP_DATABASE_URL"

// openTime is how long a database may take to be there.
const openTime = time.Minute

// place finds the root and the database.
func (a *app) place() (place, error) {
	var p place
	dwp := ""
	if a.root != "" {
		dir, err := a.Folder(a.root)
		if err != nil {
			return p, err
		}
		p.root, dwp = dir, filepath.Join(dir, ".dwp")
	} else {
		root, err := a.Root()
		if err != nil {
			return p, err
		}
		p.root, p.git, dwp = root.Dir, root.Git, filepath.Dir(root.Plans)
	}
	real, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		return p, cli.Cannot("unreadable", "", "%s", err)
	}
	p.root = real
	if p.db.URL = a.database; p.db.URL == "" {
		p.db.URL = a.Env().Getenv(urlVariable)
	}
	if p.db.URL != "" {
		return p, nil
	}
	if info, err := os.Stat(dwp); err == nil && info.IsDir() {
		p.db.File = filepath.Join(dwp, "dwp.db")
		return p, nil
	}
	data, err := a.dataFolder()
	// One database for each root: the paths in it are of one root.
	sum := sha256.Sum256([]byte(p.root))
	p.db.File = filepath.Join(data, "dwp", "queue-"+hex.EncodeToString(sum[:6])+".db")
	return p, err
}

// dataFolder is where this user's programs keep their data.
func (a *app) dataFolder() (string, error) {
	if dir := a.Env().Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if dir := a.Env().Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return dir, nil
	}
	home := a.Env().Getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", cli.Cannot("no-database", "use --database-url, or --root with a folder that has .dwp", "there is no .dwp here or above, and HOME is not set")
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}

// open opens the queue, and makes its database when there is none.
func (p place) open(ctx context.Context) (*daemon.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	store, err := daemon.Open(ctx, p.db)
	if err != nil {
		return nil, cli.Cannot("no-database", "", "%s", err)
	}
	return store, nil
}

// tracked warns of a database that git would take into a commit, where plans are tracked.
func (a *app) tracked(ctx context.Context, p place) {
	if p.git == "" || p.db.URL != "" || filepath.Dir(p.db.File) != filepath.Join(p.git, ".dwp") {
		return
	}
	// What git can't tell is no reason to warn (UN-4).
	if ignored, err := (git.Repo{Top: p.git}).Ignored(ctx, p.db.File); err == nil && !ignored {
		a.Warn("git does not ignore the queue's database; add .dwp/dwp.db* to .gitignore")
	}
}

// look opens the queue for a command that only looks: nil when there is none yet, since looking makes no file (C143).
func (a *app) look(ctx context.Context) (place, *daemon.Store, error) {
	p, err := a.place()
	if err != nil {
		return p, nil, err
	}
	if p.db.URL == "" {
		if _, err := os.Stat(p.db.File); errors.Is(err, fs.ErrNotExist) {
			return p, nil, nil
		}
	}
	store, err := p.open(ctx)
	return p, store, err
}

// relative is a plan's path as the queue keeps it.
func (p place) relative(folder string) (string, error) {
	rel, err := filepath.Rel(p.root, folder)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", cli.Usage("outside-root", "name a folder with --root that holds the plan", "the plan %q is not below the root %q", folder, p.root)
	}
	return filepath.ToSlash(rel), nil
}

// queued finds a plan that the queue has: by its path in the queue, its name with or without PLAN_, else as every PLAN. It need not be there any
// more: a plan that was deleted can be removed from the queue.
func (a *app) queued(ctx context.Context, p place, store *daemon.Store, args []string) (daemon.Plan, error) {
	plans, err := store.List(ctx)
	if err != nil {
		return daemon.Plan{}, cli.Cannot("no-database", "", "%s", err)
	}
	if len(args) > 0 {
		if found := named(plans, args[0]); len(found) == 1 {
			return found[0], nil
		}
	}
	_, folder, err := a.Plan(args)
	if err != nil {
		return daemon.Plan{}, err
	}
	rel, err := p.relative(folder)
	if err != nil {
		return daemon.Plan{}, err
	}
	for _, q := range plans {
		if q.Path == rel {
			return q, nil
		}
	}
	return daemon.Plan{}, notQueued(rel)
}

func notQueued(rel string) error {
	return cli.Usage("not-queued", "put it there with dwp daemon enqueue", "the plan %q is not in the queue", rel)
}

// named are the plans that a word names.
func named(plans []daemon.Plan, word string) (found []daemon.Plan) {
	word = strings.TrimSuffix(filepath.ToSlash(word), "/")
	for _, q := range plans {
		if name := path.Base(q.Path); q.Path == word || name == word || name == "PLAN_"+word {
			found = append(found, q)
		}
	}
	return found
}

// shown is a plan's path in the queue as it is printed: its name alone, when it lies where the root's own plans do.
func shown(path string) string { return strings.TrimPrefix(path, ".dwp/plans/") }
