/** Rejects types that structured clone does not copy: functions and objects with methods. */
type Cloneable<Value> = Value extends ArrayBufferView
  ? Value
  : Value extends (...args: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: Cloneable<Value[Key]> }
      : Value;

/** `close` is excluded: it also ends the thread. */
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

export type Answered<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result | Promise<Result>
    : never;
};

/** A proxy: `call` sends every method that is not in `local`. The types admit plain data only. */
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
      // `await` asks for `then`.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: unknown[]) => call(name as string & keyof Methods, args);
    },
  }) as Port;
}
