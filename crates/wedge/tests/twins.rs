//! Every kind of check on its own and all of them together, on what C has of objects: each program
//! holds with one text in place of `HERE` and fails with another one.

mod common;

use common::{run, write};

struct Twins {
    name: &'static str,
    check: &'static str,
    /// What is violated.
    kind: &'static str,
    program: &'static str,
    holds: &'static str,
    fails: &'static str,
}

const fn twins(
    name: &'static str,
    check: &'static str,
    kind: &'static str,
    program: &'static str,
    holds: &'static str,
    fails: &'static str,
) -> Twins {
    Twins { name, check, kind, program, holds, fails }
}

const ALL: &[Twins] = &[
    twins(
        "realloc grow",
        "bounds",
        "valid-deref",
        "int main(void){int n=any(); if(n<1||n>8)return 0; int*p=malloc(n*sizeof(int)); p=realloc(p,(n+1)*sizeof(int)); p[nHERE]=1; free(p); return 0;}",
        "",
        "+1",
    ),
    twins(
        "realloc stale",
        "pointer",
        "valid-deref",
        "int main(void){int*p=malloc(4); int*q=realloc(p,400); HERE=1; free(q); return 0;}",
        "*q",
        "*p",
    ),
    twins(
        "realloc free",
        "free",
        "valid-free",
        "int main(void){int*p=malloc(4); int*q=realloc(p,400); free(HERE); return 0;}",
        "q",
        "p",
    ),
    twins(
        "realloc leak",
        "leak",
        "valid-memtrack",
        "int main(void){int*p=malloc(4); p=realloc(p,400); HERE return 0;}",
        "free(p);",
        "p=0;",
    ),
    twins(
        "alloca ret",
        "pointer",
        "valid-deref",
        "char*f(int n){char*p=__builtin_alloca(n); p[0]=1; HERE} int main(void){char*q=f(4); return q?q[0]:0;}",
        "return 0;",
        "return p;",
    ),
    twins(
        "vla",
        "bounds",
        "valid-deref",
        "int main(void){int n=any(); if(n<1||n>5)return 0; int a[n]; for(int i=0;iHEREn;i++)a[i]=i; return a[0];}",
        "<",
        "<=",
    ),
    twins(
        "vla neg",
        "bounds",
        "valid-deref",
        "int main(void){int n=any(); if(nHERE||n>5)return 0; int a[n]; a[0]=1; return 0;}",
        "<1",
        "<0",
    ),
    twins(
        "strcpy",
        "bounds",
        "valid-deref",
        r#"int main(void){char b[HERE]; strcpy(b,"abc"); return b[0];}"#,
        "4",
        "3",
    ),
    twins(
        "strlen no end",
        "bounds",
        "valid-deref",
        "int main(void){char b[3]={'a','b',HERE}; return strlen(b);}",
        "0",
        "'c'",
    ),
    twins(
        "memcpy",
        "bounds",
        "valid-deref",
        "int main(void){char a[8]={0},b[8]; unsigned n=(unsigned)any(); if(n>HERE)return 0; memcpy(b,a,n); return 0;}",
        "8",
        "9",
    ),
    twins(
        "memset",
        "bounds",
        "valid-deref",
        "int main(void){int a[4]; memset(a,0,HERE); return a[0];}",
        "sizeof a",
        "17",
    ),
    twins(
        "strcat",
        "bounds",
        "valid-deref",
        r#"int main(void){char b[6]="ab"; strcat(b,HERE); return b[0];}"#,
        r#""cde""#,
        r#""cdef""#,
    ),
    twins(
        "union string",
        "bounds",
        "valid-deref",
        "union u{char s[4];struct{short a,b;}p;}; int main(void){union u x; x.p.a=0x6161; x.p.b=HERE; return strlen(x.s);}",
        "0x61",
        "0x6161",
    ),
    twins(
        "struct in union",
        "bounds",
        "valid-deref",
        "struct n{int k; union{int a[2]; char c[8];}u;}; int main(void){struct n x; int i=any(); if(i<0||iHERE)return 0; x.u.c[i]=1; return 0;}",
        ">7",
        ">8",
    ),
    twins(
        "recursion",
        "bounds",
        "valid-deref",
        "int f(int*a,int n){return n==0?0:a[nHERE]+f(a,n-1);} int main(void){int a[4]={1,2,3,4}; return f(a,4);}",
        "-1",
        "",
    ),
    twins(
        "rec leak",
        "leak",
        "valid-memtrack",
        "void f(int n){ if(n==0)return; char*p=malloc(1); f(n-1); HERE } int main(void){f(3);return 0;}",
        "free(p);",
        "",
    ),
    twins(
        "shift neg",
        "shift",
        "shift",
        "int main(void){int s=any(); if(s<HERE||s>20)return 0; return 1u>>s;}",
        "0",
        "-1",
    ),
    twins(
        "uninit local",
        "uninitialised",
        "uninitialised",
        "int main(void){int x; if(any()) x=1; HERE return x;}",
        "else x=2;",
        "",
    ),
    twins(
        "uninit heap",
        "uninitialised",
        "uninitialised",
        "int main(void){int*p=malloc(8); p[0]=1; HERE int r=p[1]; free(p); return r;}",
        "p[1]=2;",
        "",
    ),
    twins(
        "uninit elem",
        "uninitialised",
        "uninitialised",
        "int main(void){int a[3]; for(int i=0;i<HERE;i++)a[i]=i; return a[2];}",
        "3",
        "2",
    ),
    twins(
        "overflow short",
        "overflow",
        "no-overflow",
        "int main(void){short s=32767; s++; int x=2147483647; HERE return s;}",
        "x--;",
        "x++;",
    ),
    twins(
        "combo",
        "assert,overflow,bounds,pointer,free,leak,div-by-zero,shift,uninitialised",
        "valid-memtrack",
        "int main(void){int n=any(); if(n<1||n>3)return 0; int*p=malloc(n*sizeof(int)); for(int i=0;i<n;i++)p[i]=10/(i+1)<<i; assert(p[0]==10); HERE return 0;}",
        "free(p);",
        "",
    ),
    twins(
        "strncpy",
        "bounds",
        "valid-deref",
        r#"int main(void){char b[4]; strncpy(b,"abcdefg",HERE); return b[0];}"#,
        "4",
        "5",
    ),
    twins(
        "literal write",
        "pointer",
        "valid-deref",
        r#"int main(void){char*s="ab"; char t[3]; char*p=HERE; p[0]='x'; return 0;}"#,
        "t",
        "s",
    ),
    twins(
        "sprintf",
        "bounds",
        "valid-deref",
        r#"int main(void){char b[HERE]; sprintf(b,"%d",1234); return b[0];}"#,
        "5",
        "4",
    ),
    twins(
        "strdup leak",
        "leak",
        "valid-memtrack",
        r#"int main(void){char*p=strdup("ab"); HERE return 0;}"#,
        "free(p);",
        "p=0;",
    ),
];

#[test]
fn each_twin_has_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    for Twins { name, check, kind, program, holds, fails } in ALL {
        for (text, expected) in [(holds, "TRUE".to_string()), (fails, format!("FALSE({kind})"))] {
            let program = program.replace("HERE", text);
            let text = format!(
                "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                 extern int any(void);\n{program}\n"
            );
            let file = write(folder.path(), "program.c", &text).display().to_string();
            let found =
                run(&["check", "--engine", "bmc", "--check", check, "--timeout", "100s", &file]);
            assert_eq!(found.verdict(), expected, "{name}: {program}");
        }
    }
}
