import { escapeHtml } from '../send-file.ts';
import type { Json } from './schemas.ts';

/** One HTML page without scripts or external resources. */
export function docsPage(document: Json): string {
  const { info, tags, paths, components, servers } = document as unknown as ApiDocument;
  const base = servers[0]!.url.replace(/\/$/, '');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>${escapeHtml(info.title)}</title><style>${STYLE}</style></head><body>
<header><h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1><p>${escapeHtml(info.description)}</p>
<p>Interactive reference, which sends requests: <a href="${base}/docs">${base}/docs</a>. Machine-readable: <a href="${base}/openapi.json">${base}/openapi.json</a> (OpenAPI 3.1). MCP clients connect to <code>/mcp</code>.</p></header>
<nav>${tags.map(({ name }) => `<a href="#${anchorOf(name)}">${escapeHtml(name)}</a>`).join(' · ')} · <a href="#schemas">Schemas</a></nav>
${tags
  .map(
    ({ name, description = '' }) =>
      `<h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${operations
        .filter((one) => one.tags.includes(name))
        .map((one) => section(one, components.responses))
        .join('')}`,
  )
  .join('')}
<h2 id="schemas">Schemas</h2>${Object.entries(components.schemas)
    .map(([name, schema]) => block(escapeHtml(name), schema, `schema-${name}`))
    .join('')}
</body></html>`;
}

interface ApiDocument {
  info: Info;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, Answer> };
}

interface Info {
  title: string;
  version: string;
  description: string;
}

interface Operation {
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer | { $ref: string }>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  examples?: Record<string, { value: unknown }>;
}

interface Content {
  schema: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

interface Answer {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Record<string, Content>;
}

type PathOperation = Operation & { path: string; method: string };

function section({ path, method, ...operation }: PathOperation, shared: Record<string, Answer>): string {
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, '$ref' in answer ? shared[answer.$ref.split('/').at(-1)!]! : answer] as const,
  );
  const parameters = (operation.parameters ?? []).map((one) => [
    code(one.name),
    `${one.in}${one.required ? ', required' : ''}`,
    `${escapeHtml(one.description ?? '')} ${Object.values(one.examples ?? {})
      .slice(0, 1)
      .map(({ value }) => `For example ${code(String(value))}.`)
      .join('')}`,
  ]);
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, content]) =>
    contentBlocks(type === 'application/json' ? 'Request body' : `Request body as ${type}`, content),
  );
  return `<section><h3><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h3>
<p><strong>${escapeHtml(operation.summary)}.</strong> ${escapeHtml(operation.description).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
${table('Parameters', parameters)}${bodies.join('')}
${answers
  .filter(([status]) => status.startsWith('2'))
  .map(([status, answer]) => answerBlocks(status, answer))
  .join('')}
${table(
  'Statuses',
  answers.map(([status, { description }]) => [code(status), escapeHtml(description)]),
)}</section>`;
}

function answerBlocks(status: string, { headers = {}, content = {} }: Answer): string {
  const bodies = Object.entries(content).map(([type, one]) =>
    contentBlocks(type === 'application/json' ? `Answer ${status}` : `Answer ${status} as ${type}`, one),
  );
  const named = Object.entries(headers).map(([name, { description }]) => [code(name), escapeHtml(description)]);
  return `${bodies.join('')}${table('Headers of the answer', named)}`;
}

function contentBlocks(title: string, { schema, examples = {} }: Content): string {
  const shown = Object.values(examples).map(({ summary, value }) =>
    block(`${title}, for example: ${escapeHtml(summary)}`, value),
  );
  return `${block(title, schema)}${shown.join('')}`;
}

function block(title: string, value: unknown, id?: string): string {
  const text = escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const linked = text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$1</a>');
  return `<details${id ? ` id="${id}"` : ''}><summary>${title}</summary><pre>${linked}</pre></details>`;
}

function table(caption: string, rows: string[][]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table><caption>${caption}</caption>${cells.join('')}</table>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function anchorOf(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-');
}

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere;color:light-dark(#1d2733,#e3e8ef);background:light-dark(#fff,#14181f)}
a{color:light-dark(#0b57b0,#8ab8f5)}h1 small{font-weight:400;color:light-dark(#667,#9aa5b4)}
section{border-top:1px solid light-dark(#dde,#333b47);padding:.5rem 0}code,pre{font:14px ui-monospace,monospace}
pre{background:light-dark(#f5f7fa,#1d232c);padding:1rem;overflow:auto;overflow-wrap:normal}
table{border-collapse:collapse;margin:.5rem 0}caption{text-align:left;font-weight:600}td{padding:.15rem 1rem .15rem 0;vertical-align:top}
h3 b{color:#fff;background:#3367b0;border-radius:4px;padding:.1rem .5rem;font-size:.8em}
h3 b.post{background:#2b7d4f}h3 b.delete{background:#a33}h3 b.patch{background:#a06a12}summary{cursor:pointer}`;
