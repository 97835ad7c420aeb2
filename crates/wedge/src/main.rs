use std::time::Duration;
use wedge_engines::{Context, Engine, Outcome};
use wedge_logic::*;
use wedge_model::*;
fn coi(c: &Circuit) -> (Circuit, Vec<usize>, Vec<usize>) {
    let mut roots = c.constraints.clone();
    roots.push(c.bad);
    let mut marked = vec![false; c.latches.len()];
    loop {
        let cone = c.aig.cone(&roots);
        let mut changed = false;
        for (i, l) in c.latches.iter().enumerate() {
            if cone[l.state.node() as usize] && !marked[i] {
                marked[i] = true;
                changed = true;
                roots.push(l.next);
                if let Reset::Function(f) = l.reset {
                    roots.push(f)
                }
            }
        }
        if !changed {
            break;
        }
    }
    let cone = c.aig.cone(&roots);
    let mut r = Circuit::default();
    let mut map = vec![Lit::FALSE; c.aig.num_inputs()];
    let idx = |l: Lit| match c.aig.node(l.node()) {
        wedge_logic::aig::Node::Input(i) => i as usize,
        _ => panic!(),
    };
    let (mut ins, mut ls) = (vec![], vec![]);
    for (i, &l) in c.inputs.iter().enumerate() {
        if cone[l.node() as usize] {
            map[idx(l)] = r.add_input();
            ins.push(i)
        }
    }
    for (i, l) in c.latches.iter().enumerate() {
        if marked[i] {
            map[idx(l.state)] = r.add_latch(l.reset);
            ls.push(i)
        }
    }
    let im = c.aig.copy_into(&mut r.aig, &roots, &map);
    let nc = c.constraints.len();
    r.constraints = im[..nc].to_vec();
    r.bad = im[nc];
    for (k, &i) in ls.iter().enumerate() {
        r.latches[k].next = c.aig.copy_into(&mut r.aig, &[c.latches[i].next], &map)[0];
    }
    (r, ins, ls)
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let m = wedge_hw::aiger::read(std::path::Path::new(&a[2])).unwrap();
    let c0 = m.circuit(0).unwrap();
    let (c, _, _) = coi(&c0);
    if c.latches.iter().any(|l| matches!(l.reset, Reset::Function(_))) {
        println!("UNKNOWN(reset)");
        return;
    }
    let t: f64 = a[3].parse().unwrap();
    let ctx = Context::new(Some(Duration::from_secs_f64(t)));
    use wedge_engines::imc::*;
    use wedge_sat::System::*;
    let o = std::env::var("W").unwrap_or_default();
    let mut imc = Imc::default();
    if o.contains('f') {
        imc.direction = Direction::Forward
    }
    if o.contains('p') {
        imc.system = Pudlak
    }
    if o.contains('1') {
        imc.stride = Stride::One
    }
    if o.contains('i') {
        imc.inductive_check = false
    }
    let out = match &a[1][..] {
        "bmc" => wedge_engines::bmc::Bmc::default().run(&c, &ctx),
        "imc" => imc.run(&c, &ctx),
        _ => panic!(),
    };
    if a.len() > 4 {
        println!("latches {} ands {} inputs {}", c.latches.len(), c.aig.num_ands(), c.inputs.len());
        println!("{:?}", ctx.figures());
    }
    match out {
        Outcome::Safe(_) => println!("TRUE"),
        Outcome::Unsafe(t) => {
            wedge_model::simulate::replay(&c, &t).unwrap();
            println!("FALSE(bad)")
        }
        Outcome::Unknown(r) => println!("UNKNOWN({r})"),
    }
}
