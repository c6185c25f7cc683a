/* A typed remote proxy: calls to methods of a port become messages to another thread. */

/** Rejects types that structured clone does not copy: functions, and objects with methods. */
type Cloneable<Value> = Value extends ArrayBufferView
  ? Value
  : Value extends (...args: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: Cloneable<Value[Key]> }
      : Value;

/** Methods that a message can call. An AbortSignal may be their last argument; `close` also ends the thread. */
type RemoteName<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? [Exclude<Args[number], AbortSignal>, Result] extends [
        Cloneable<Exclude<Args[number], AbortSignal>>,
        Cloneable<Result>,
      ]
      ? Name
      : never
    : never;
}[Exclude<keyof Methods, 'close'>];

/** The same methods where the object is: they may answer at once. */
export type Answered<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result | Promise<Result>
    : never;
};

/**
 * Makes a `Port` of which `call` sends every method that is not in `local`. The compiler allows
 * that for methods of the other thread whose arguments and results are plain data.
 */
export function remote<Port extends object, Methods>(
  call: (method: string & keyof Methods, args: unknown[]) => Promise<unknown>,
  local: Partial<Port> & Omit<Port, RemoteName<Methods>>,
): Port {
  return new Proxy(local as object, {
    ownKeys: () => {
      throw new Error('A remote object cannot be spread. Use withMethods.');
    },
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      // An awaited object is asked for `then`.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: unknown[]) => call(name as string & keyof Methods, args);
    },
  }) as Port;
}
