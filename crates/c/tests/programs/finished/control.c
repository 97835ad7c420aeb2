/* goto, switch with ranges, cases inside loops, nested breaks. */
int classify(int c) {
  switch (c) {
    case '0' ... '9': return 1;
    default: return 0;
    case 'a' ... 'f':
    case 'A' ... 'F': return 2;
    case -5: return 3;
  }
}

int copy(int n) {
  int sum = 0, k = (n + 3) / 4;
  switch (n % 4) {
    case 0: do { sum += 1;
    case 3: sum += 10;
    case 2: sum += 100;
    case 1: sum += 1000;
    } while (--k > 0);
  }
  return sum;
}

int main(void) {
  if (classify('7') != 1 || classify('e') != 2 || classify('g') || classify(-5) != 3) return 1;
  if (copy(6) != 2211 || copy(4) != 1111 || copy(1) != 1000) return 2;
  int i = 0, j, found = 0;
again:
  for (j = 0; j < 5; j++) {
    if (j == 2) continue;
    if (i * j == 6) goto out;
    if (j == 4) break;
    found++;
  }
  if (++i < 10) goto again;
out:
  if (i != 2 || j != 3 || found != 8) return 3;
  {
    int k = 0;
    goto middle;
    while (k < 5) {
      k += 2;
    middle:
      k++;
    }
    if (k != 7) return 4;
  }
  do {
    if (i) break;
    return 5;
  } while (1);
  long long big = 1ll << 40;
  switch (big) {
    case 0: return 6;
    case 1ll << 40: break;
    default: return 7;
  }
  for (;;) {
    if (i-- < 0) break;
  }
  return i + 2;
}
