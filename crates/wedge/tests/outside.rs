//! Errors behind memory and functions of the environment are found and confirmed.

mod common;

use common::{run, write};

const HEAD: &str = "extern void reach_error(void); extern void *get(void); extern void publish(void *);\n\
    extern char *strcpy(char *, const char *); extern void *memset(void *, int, unsigned long);\n\
    extern void *memcpy(void *, const void *, unsigned long);\n\
    struct inner { int value; }; struct outer { char name[40]; struct inner *inner; int number; };\n";

/// Each of them fails.
const FAILING: &[&str] = &[
    // Functions of the library write to memory of the environment, and read what they have written.
    "int main(void) { struct outer *o = get(); if (!o) return 0; strcpy(o->name, \"abc\");\n\
     o->number = -1; if (o->name[1] == 'b') reach_error(); return 0; }",
    "int main(void) { struct outer *o = get(); if (!o) return 0; memset(o, 1, sizeof *o);\n\
     if (o->number == 0x01010101) reach_error(); return 0; }",
    "int main(void) { struct outer *o = get(), *p = get(); if (!o || !p) return 0; o->number = 7;\n\
     memcpy(p, o, sizeof *o); if (p->number == 7) reach_error(); return 0; }",
    // Nothing depends on the pointers that are followed on the way.
    "int main(void) { struct outer *o = get(); o->inner->value = 1; reach_error(); return 0; }",
    "int main(void) { struct outer *o = get(); struct inner *i = o->inner; i->value = o->number;\n\
     if (o->number == 5) reach_error(); return 0; }",
    // A function of the environment, which may be one of the program as well.
    "struct ops { int (*f)(int); }; int g(int x) { return x; }\n\
     int main(void) { publish((void *)g); struct ops *o = get(); if (!o) return 0;\n\
     if (o->f(3) == 7) reach_error(); return 0; }",
];

/// The function of the environment may be `g`, or call it.
const CALLED_BACK: &str = "struct ops { int (*f)(int); }; int hit; int g(int x) { hit = 1; return x; }\n\
     int main(void) { publish((void *)g); struct ops *o = get(); if (!o) return 0; o->f(3);\n\
     if (hit) reach_error(); return 0; }";

fn verdict(text: &str, engine: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "program.c", &format!("{HEAD}{text}\n")).display().to_string();
    let options = ["check", "--data-model", "LP64", "--timeout", "60s", "--engine", engine, &file];
    run(&options).verdict().to_string()
}

#[test]
fn errors_behind_the_environment_are_confirmed() {
    for text in FAILING {
        for engine in ["bmc", "predabs"] {
            assert_eq!(verdict(text, engine), "FALSE(unreach-call)", "{engine}: {text}");
        }
    }
}

#[test]
fn what_may_be_called_back_is_not_left_out_of_proofs() {
    for engine in ["bmc", "predabs", "pdr"] {
        assert!(!verdict(CALLED_BACK, engine).starts_with("TRUE"), "{engine}");
    }
}
