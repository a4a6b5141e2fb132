package daemon

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/deepworkplan/dwp/internal/disk"
)

// steps returns what brings our tables from one version to the next. A step that was released is never changed.
//
// fence only ever grows, and the row of a plan that was removed stays: a number must not come again while a lease in a plan's folder may still
// bear it (UN-2).
func steps() []string {
	return []string{`
CREATE TABLE dwp_plans (
	path TEXT PRIMARY KEY,
	every_ms BIGINT NOT NULL, cron TEXT NOT NULL,
	agent TEXT NOT NULL, model TEXT NOT NULL, turn_ms BIGINT NOT NULL, most_turns BIGINT NOT NULL, observed BIGINT NOT NULL,
	status TEXT NOT NULL, paused BIGINT NOT NULL, removed BIGINT NOT NULL,
	due BIGINT, next BIGINT,
	turns BIGINT NOT NULL, fruitless BIGINT NOT NULL,
	seq BIGINT NOT NULL, job BIGINT NOT NULL, fence BIGINT NOT NULL, holder TEXT NOT NULL, until BIGINT,
	seen TEXT NOT NULL, note TEXT NOT NULL
);
CREATE INDEX dwp_plans_due ON dwp_plans (due, path);
CREATE TABLE dwp_turns (
	path TEXT NOT NULL, fence BIGINT NOT NULL, worker TEXT NOT NULL,
	started BIGINT NOT NULL, ended BIGINT,
	code BIGINT NOT NULL, result TEXT NOT NULL, task BIGINT NOT NULL, note TEXT NOT NULL,
	PRIMARY KEY (path, fence)
);
CREATE INDEX dwp_turns_started ON dwp_turns (started);
`}
}

// migrationLock is the number of PostgreSQL's advisory lock under which tables are changed.
const migrationLock = 0x647770 // "dwp"

// migrate brings all tables up to date, ours and River's. Of several daemons that start at once one does it, and the others wait.
func (s *Store) migrate(ctx context.Context, w Where) error {
	unlock, err := s.lockMigration(ctx, w)
	if err != nil {
		return fmt.Errorf("wait for its migration: %w", err)
	}
	defer unlock()
	if s.pool != nil {
		err = migrateRiver(ctx, riverpgxv5.New(s.pool))
	} else {
		err = migrateRiver(ctx, riversqlite.New(s.db))
	}
	if err != nil {
		return fmt.Errorf("migrate the tables of jobs: %w", err)
	}
	if err := s.migrateOurs(ctx); err != nil {
		return fmt.Errorf("migrate the tables of plans: %w", err)
	}
	return nil
}

// lockMigration takes a lock that the system lets go of when the process dies. In PostgreSQL that is a lock of the session; for SQLite a
// transaction on a database beside it, since its own lock is taken and given back by every step.
func (s *Store) lockMigration(ctx context.Context, w Where) (unlock func(), err error) {
	if s.pool != nil {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
			conn.Close()
			return nil, err
		}
		return func() {
			conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
			conn.Close()
		}, nil
	}
	beside := w.File + ".start"
	if err := disk.PrivateFile(beside); err != nil {
		return nil, err
	}
	settings := url.Values{"_txlock": {"exclusive"}, "_pragma": {"busy_timeout(60000)"}}
	uri := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(beside), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		db.Close()
		return nil, err
	}
	return func() { tx.Rollback(); db.Close() }, nil
}

// migrateRiver brings River's tables up to date.
func migrateRiver[TTx any](ctx context.Context, driver riverdriver.Driver[TTx]) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// migrateOurs brings our tables up to date, and gives the queue its name when it has none.
func (s *Store) migrateOurs(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS dwp_queue (version BIGINT NOT NULL, name TEXT NOT NULL)"); err != nil {
		return err
	}
	var version int
	err = tx.QueryRowContext(ctx, "SELECT version, name FROM dwp_queue").Scan(&version, &s.name)
	if err == sql.ErrNoRows {
		s.name = "dwp-" + rand.Text()[:12]
		_, err = s.exec(ctx, tx, "INSERT INTO dwp_queue (version, name) VALUES (0, ?)", s.name)
	}
	if err != nil {
		return err
	}
	if version > len(steps()) {
		return fmt.Errorf("they are of version %d, and this dwpd knows %d: use a newer one", version, len(steps()))
	}
	for _, step := range steps()[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := s.exec(ctx, tx, "UPDATE dwp_queue SET version = ?", len(steps())); err != nil {
		return err
	}
	return tx.Commit()
}
