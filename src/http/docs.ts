/** The API document as one self-contained page: no script, nothing fetched from elsewhere. */
export function docsPage(document: Record<string, unknown>): string {
  const { info, paths } = document as unknown as { info: Info; paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${STYLE}</style></head><body>
<header><h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1><p>${escapeHtml(info.description)}</p>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). MCP clients connect to <code>/mcp</code>.</p></header>
${tags
  .map(
    (tag) =>
      `<h2>${escapeHtml(tag)}</h2>${operations
        .filter((one) => one.tags.includes(tag))
        .map(section)
        .join('')}`,
  )
  .join('')}
</body></html>`;
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
  parameters: { name: string; in: string; required: boolean; description?: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, Answer>;
}

interface Answer {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Record<string, { schema: unknown }>;
}

function section({ path, method, ...operation }: Operation & { path: string; method: string }): string {
  const parameters = operation.parameters
    .map(
      (one) =>
        `<tr><td><code>${escapeHtml(one.name)}</code></td><td>${one.in}${one.required ? ', required' : ''}</td><td>${escapeHtml(one.description ?? '')}</td></tr>`,
    )
    .join('');
  const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
  const statuses = Object.entries(operation.responses)
    .map(([status, { description }]) => `<tr><td><code>${status}</code></td><td>${escapeHtml(description)}</td></tr>`)
    .join('');
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return `<section><h3><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h3>
<p><strong>${escapeHtml(operation.summary)}.</strong> ${escapeHtml(operation.description).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
${parameters ? `<table><caption>Parameters</caption>${parameters}</table>` : ''}
${json ? schemaBlock('Request body', json.schema) : ''}
${form ? schemaBlock('Request body as multipart/form-data', form.schema) : ''}
${success ? answerBlocks(success) : ''}
<table><caption>Statuses</caption>${statuses}</table></section>`;
}

function answerBlocks({ headers = {}, content = {} }: Answer): string {
  const named = Object.entries(headers)
    .map(
      ([name, { description }]) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(description)}</td></tr>`,
    )
    .join('');
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    schemaBlock(type === 'application/json' ? 'Answer' : `Answer as ${type}`, schema),
  );
  return `${bodies.join('')}${named ? `<table><caption>Headers of the answer</caption>${named}</table>` : ''}`;
}

function schemaBlock(title: string, schema: unknown): string {
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2733;background:#fff}
h1 small{font-weight:400;color:#667}section{border-top:1px solid #dde;padding:.5rem 0}code,pre{font:14px ui-monospace,monospace}
pre{background:#f5f7fa;padding:1rem;overflow:auto}table{border-collapse:collapse;margin:.5rem 0}caption{text-align:left;font-weight:600}
td{padding:.15rem 1rem .15rem 0;vertical-align:top}h3 b{color:#fff;background:#3367b0;border-radius:4px;padding:.1rem .5rem;font-size:.8em}
h3 b.post{background:#2b7d4f}h3 b.delete{background:#a33}h3 b.patch{background:#a06a12}summary{cursor:pointer}`;
