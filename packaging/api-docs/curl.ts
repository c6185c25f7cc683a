import type { ExampleExchange } from '../../src/http/docs/examples/example.ts';
import type { Route } from '../../src/http/route.ts';

const SERVER = 'http://127.0.0.1:3000';

/** The curl command of an example. */
export function curlOf(
  { method, path, access }: Pick<Route, 'method' | 'path' | 'access'>,
  exchange: ExampleExchange,
): string {
  const { params = {}, query, headers = {}, body, contentType = 'application/json', form } = exchange;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const queryText = query ? `?${new URLSearchParams(query)}` : '';
  const usual = body === undefined && form === undefined ? 'get' : 'post';
  const sent = { ...credentialOf(access), ...(body === undefined ? {} : { 'content-type': contentType }), ...headers };
  const lines = [
    `curl${method === usual ? '' : ` -X ${method.toUpperCase()}`} ${quoted(`${SERVER}${filled}${queryText}`)}`,
    Object.entries(sent)
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
      .join(' '),
    ...Object.entries(form?.fields ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    form ? `-F ${quoted(`file=@${form.file.name}`)}` : '',
    body === undefined ? '' : `${typeof body === 'string' ? '--data-binary' : '-d'} ${quoted(textOf(body))}`,
  ];
  return lines.filter((line) => line !== '').join(' \\\n  ');
}

function credentialOf(access: Route['access']): Record<string, string> {
  if (access === 'open') return {};
  return access.startsWith('portal:') ? { authorization: 'Bearer TOKEN' } : { 'x-api-key': 'ar_FULL' };
}

/** JSON, on one line if it is short. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value);
  return line.length <= 100 ? line : JSON.stringify(value, null, 2);
}

function quoted(text: string): string {
  if (/["\\$`!\n]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return /[^\w/:.-]/.test(text) ? `"${text}"` : text;
}
