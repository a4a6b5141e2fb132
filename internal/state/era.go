package state

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// schemaBase is where the schemas of every era live (PS-21).
const schemaBase = "https://deepworkplan.com/schema/"

// SchemaURL is the URL that names an era in ManifestFile or StateFile; "" for other files and eras.
func SchemaURL(file string, era Era) string {
	if era != V1 && era != V2 && era != V5 {
		return ""
	}
	switch file {
	case ManifestFile:
		return schemaBase + "plan-manifest/" + string(era) + ".json"
	case StateFile:
		return schemaBase + "plan-state/" + string(era) + ".json"
	}
	return ""
}

// EraOf says which era a schema URL names, and for which file: ManifestFile or StateFile. It is Unknown and "" for
// every other text; near misses are not guessed at (PS-22).
func EraOf(url string) (era Era, file string) {
	for _, file := range []string{ManifestFile, StateFile} {
		for _, era := range []Era{V1, V2, V5} {
			if url == SchemaURL(file, era) {
				return era, file
			}
		}
	}
	return Unknown, ""
}

// newerGeneration returns the "vN" of a schema URL of ours that is above v5, or "" (C43).
func newerGeneration(url string) string {
	name, ours := strings.CutPrefix(url, schemaBase)
	kind, version, _ := strings.Cut(name, "/v")
	digits, found := strings.CutSuffix(version, ".json")
	if !ours || !found || kind != "plan-manifest" && kind != "plan-state" {
		return ""
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	if n, err := strconv.Atoi(digits); err == nil && n <= 5 {
		return ""
	}
	return "v" + shorten(digits)
}

// era reads the schema member of a root that should be file. Unknown means that nothing else may be read (PS-22).
func (r *reader) era(root *strictjson.Value, file string) (schema string, era Era) {
	if root.Kind != strictjson.Object {
		rule := "state/type"
		if file == ManifestFile {
			rule = "manifest/type"
		}
		r.wrongKind(rule, root, nil, "an object")
		return "", Unknown
	}
	v, at := root.Member("schema"), &path{name: "schema"}
	if v == nil {
		r.report("schema/missing", root, at, "name the generation the file was written in, such as "+SchemaURL(file, V5), "is missing")
		return "", Unknown
	}
	if v.Kind != strictjson.String {
		r.wrongKind("schema/unknown", v, at, "a URL such as "+SchemaURL(file, V5))
		return "", Unknown
	}
	era, of := EraOf(v.Text)
	if of == file {
		return v.Text, era
	}
	hint, message := unknownSchema(v.Text, of, file)
	r.report("schema/unknown", v, at, hint, "%s", message)
	return v.Text, Unknown
}

// unknownSchema words a URL that doesn't fit: of is the file it would fit, or "".
func unknownSchema(url, of, file string) (hint, message string) {
	if of != "" {
		return ManifestFile + " and " + StateFile + " look swapped", fmt.Sprintf("is that of a %s, but this file is %s", of, file)
	}
	if newer := newerGeneration(url); newer != "" {
		return "use a newer dwp", fmt.Sprintf("is of generation %s, newer than this tool knows: v1, v2, v5", newer)
	}
	return "", fmt.Sprintf("is %q, which is unknown; known are v1, v2 and v5, such as %s", shorten(url), SchemaURL(file, V5))
}
