// Package daemontest gives the tests of the queue a database of their own. Nothing but tests imports it.
package daemontest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Database makes a database of its own on the server that DWP_TEST_DATABASE_URL names, and returns its URL. Without one the test is skipped.
func Database(t testing.TB) string {
	t.Helper()
	base := os.Getenv("DWP_TEST_DATABASE_URL")
	if base == "" {
		t.Skip("DWP_TEST_DATABASE_URL is not set")
	}
	server, err := pgxpool.New(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("dwp_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := server.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	config := server.Config().ConnConfig
	return fmt.Sprintf("postgres://%s:%s@%s:%d/%s", config.User, config.Password, config.Host, config.Port, name)
}
