/* Loaded into a real `serve`: the clock of its machine is ahead by TEST_CLOCK_AHEAD milliseconds. Intervals are right. */

const ahead = Number(process.env.TEST_CLOCK_AHEAD);
const RealDate = Date;
const now = () => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given, newTarget) => Reflect.construct(RealDate, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
