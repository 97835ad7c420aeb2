struct item { int key; struct item *next; char tag[3]; };
struct opaque { int secret; } hidden = {9}, *handle = &hidden;
struct item first = {1, 0, "xy"};
struct item make(int key) { struct item i = {key, 0, "ab"}; return i; }
int sum(struct item *list) { return list ? list->key + sum(list->next) : 0; }
int peek(struct opaque *o) { return o->secret; }
