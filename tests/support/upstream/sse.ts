import type { Wire } from './outcomes.ts';
import type { Message } from './protocol.ts';

/** A server-sent event. `lineEnd` is the vendor's own. */
export function encodeEvent({ name, data, form }: Message, wire: Wire, lineEnd = '\n'): Buffer {
  const end = wire === 'crlf' ? '\r\n' : lineEnd;
  const comment = wire === 'comments' ? [': keepalive', ''] : [];
  const lines = linesOf(data, wire).map((line) => (form === 'bare' ? line : `data: ${line}`));
  return Buffer.from([...comment, ...(name ? [`event: ${name}`] : []), ...lines, '', ''].join(end));
}

/** Between the members of JSON a line may end: whoever reads joins the lines again. */
function linesOf(data: object | string, wire: Wire): string[] {
  if (typeof data === 'string') return [data];
  return wire === 'multiLine' ? JSON.stringify(data, null, 1).split('\n') : [JSON.stringify(data)];
}
