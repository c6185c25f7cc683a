/** By inheritance: the port may be a proxy, which a spread would not copy. */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return Object.assign(Object.create(port) as Port, methods);
}
