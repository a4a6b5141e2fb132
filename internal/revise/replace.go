package revise

// Replace gives a file that stands, and is no document, other bytes as a whole: manifest.json at a migration (PS-3).
func (d *Desk) Replace(path string, data []byte) { d.made[path] = data }
