package daemon

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the embedded database
)

// Store is the database of a queue. Its plans are ours; the tables of jobs beside them are River's.
//
// Every statement is written once, for SQLite and PostgreSQL alike. Times are milliseconds since 1970.
type Store struct {
	db   *sql.DB
	pool *pgxpool.Pool // nil for SQLite
	// clock is the store's own clock: that of the machine for SQLite, which no other machine uses. With nil the database is asked, so that
	// machines whose clocks differ agree on when a lease ends.
	clock func() time.Time
	name  string // of the queue: numbers of leases are compared within one only
	where string // the database, as it may be shown
}

// Where says which database to open.
type Where struct {
	URL  string // of PostgreSQL; "" for the embedded one
	File string // of the embedded one
	// Clock stands for the database's clock; nil for that.
	Clock func() time.Time
}

// busyTime is how long a statement waits for another process that writes to the embedded database.
const busyTime = 10 * time.Second

// Open opens a database, and brings its tables up to date. Errors never show a password.
func Open(ctx context.Context, w Where) (*Store, error) {
	s := &Store{clock: w.Clock, where: Shown(w)}
	err := s.open(ctx, w)
	if err == nil {
		err = s.migrate(ctx, w)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("open %s: %w", s.where, hidden(err, w.URL))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, w Where) error {
	if w.URL == "" {
		if s.clock == nil {
			s.clock = time.Now
		}
		var err error
		s.db, err = openFile(w.File)
		return err
	}
	config, err := pgxpool.ParseConfig(w.URL)
	if err != nil {
		return errors.New("not a database URL of the form postgres://USER@HOST/NAME") // its own words quote parts of it
	}
	config.MaxConns = max(config.MaxConns, 8) // one listens, and a renewal must not wait for a report
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	s.db = stdlib.OpenDBFromPool(s.pool)
	return s.db.PingContext(ctx)
}

// openFile opens the embedded database. It is made for its user alone; one connection does all, since SQLite has one writer. A commit is on
// the disk when it returns: a number of a lease that was given must not be given again after a loss of power.
func openFile(path string) (*sql.DB, error) {
	if err := disk.PrivateFile(path); err != nil {
		return nil, err
	}
	settings := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
	}
	// As a URI, so that a question mark or a percent sign in the path is none of the settings.
	uri := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// Close lets go of the database.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	return err
}

// Name is the name of the queue, which no other database has.
func (s *Store) Name() string { return s.name }

// Where is the database, as it may be shown.
func (s *Store) Where() string { return s.where }

// Shown names a database without a password or anything else that may be one.
func Shown(w Where) string {
	if w.URL == "" {
		return "database " + w.File
	}
	u, err := url.Parse(w.URL)
	if err != nil || u.Host == "" {
		return "the PostgreSQL database"
	}
	return "PostgreSQL at " + u.Host + u.EscapedPath()
}

// hidden takes passwords out of an error's words.
func hidden(err error, raw string) error {
	u, parseErr := url.Parse(raw)
	if raw == "" || err == nil {
		return err
	}
	text := strings.ReplaceAll(err.Error(), raw, "(the URL)") // one line of it: the driver writes one for each address that it tried
	if parseErr == nil && u.User != nil {
		if password, ok := u.User.Password(); ok && password != "" {
			text = strings.ReplaceAll(text, password, "***")
			text = strings.ReplaceAll(text, url.QueryEscape(password), "***")
		}
	}
	return errors.New(oneLine(text))
}

// asker is what statements are run on: the database, or a transaction.
type asker interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// say writes a statement for the database at hand: PostgreSQL numbers its placeholders. No statement has a question mark of its own.
func (s *Store) say(statement string) string {
	if s.pool == nil {
		return statement
	}
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(statement, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		statement = after
	}
}

// exec runs a statement and tells how many rows it changed.
func (s *Store) exec(ctx context.Context, on asker, statement string, args ...any) (int64, error) {
	r, err := on.ExecContext(ctx, s.say(statement), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// inTx does something in one transaction, which begins by asking for the time.
func (s *Store) inTx(ctx context.Context, do func(tx *sql.Tx, now time.Time) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	now, err := s.now(ctx, tx)
	if err != nil {
		return err
	}
	if err := do(tx, now); err != nil {
		return err
	}
	return tx.Commit()
}

// now is the time that leases are measured by.
func (s *Store) now(ctx context.Context, on asker) (time.Time, error) {
	if s.clock != nil {
		return s.clock(), nil
	}
	var ms int64
	err := on.QueryRowContext(ctx, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)").Scan(&ms)
	return time.UnixMilli(ms), err
}

// millis is a time as it is stored; nil for the zero time.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// instant is a stored time.
func instant(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64)
}

// truth is a truth value as it is stored.
func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
