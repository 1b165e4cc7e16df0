// Preloaded into a process: its clock is SHIFT seconds ahead of the machine's, or behind when
// negative. SIGUSR2 ends the shift, and begins it again. With SHIFT_LATER the clock is right at
// first.
const real = Date;
const shift = Number(process.env.SHIFT ?? 0) * 1000;
let ahead = process.env.SHIFT_LATER ? 0 : shift;
process.on('SIGUSR2', () => {
  ahead = ahead === 0 ? shift : 0;
});

class ShiftedDate extends real {
  constructor(...values: [] | ConstructorParameters<typeof real>) {
    if (values.length === 0) super(ShiftedDate.now());
    else super(...values);
  }

  static override now(): number {
    return real.now() + ahead;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
