/** All first bytes of doubles, then all second ones, …: sixteen values at a time. */
export function shuffle(from: usize, values: usize, to: usize): void {
  let i: usize = 0;
  for (; i + 16 <= values; i += 16) {
    const at = from + (i << 3);
    // Four times two vectors are interleaved byte by byte: each time a bit of a byte's place becomes one of its vector.
    let a = v128.load(at);
    let b = v128.load(at, 16);
    let c = v128.load(at, 32);
    let d = v128.load(at, 48);
    let e = v128.load(at, 64);
    let f = v128.load(at, 80);
    let g = v128.load(at, 96);
    let h = v128.load(at, 112);
    let p = a,
      q = b,
      r = c,
      s = d;
    a = low(p, e);
    e = high(p, e);
    b = low(q, f);
    f = high(q, f);
    c = low(r, g);
    g = high(r, g);
    d = low(s, h);
    h = high(s, h);
    p = a;
    q = b;
    r = e;
    s = f;
    a = low(p, c);
    c = high(p, c);
    b = low(q, d);
    d = high(q, d);
    e = low(r, g);
    g = high(r, g);
    f = low(s, h);
    h = high(s, h);
    p = a;
    q = c;
    r = e;
    s = g;
    a = low(p, b);
    b = high(p, b);
    c = low(q, d);
    d = high(q, d);
    e = low(r, f);
    f = high(r, f);
    g = low(s, h);
    h = high(s, h);
    const plane = to + i;
    v128.store(plane, low(a, e));
    v128.store(plane + values, high(a, e));
    v128.store(plane + 2 * values, low(b, f));
    v128.store(plane + 3 * values, high(b, f));
    v128.store(plane + 4 * values, low(c, g));
    v128.store(plane + 5 * values, high(c, g));
    v128.store(plane + 6 * values, low(d, h));
    v128.store(plane + 7 * values, high(d, h));
  }
  for (; i < values; i++) {
    for (let byte: usize = 0; byte < 8; byte++) store<u8>(to + byte * values + i, load<u8>(from + (i << 3) + byte));
  }
}

function low(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

function high(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
