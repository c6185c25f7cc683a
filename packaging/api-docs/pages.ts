import { routes } from '../../src/http/app.ts';
import { examples } from '../../src/http/docs/examples/index.ts';
import { openApiDocument, operationIdOf } from '../../src/http/docs/openapi.ts';
import { TAGS } from '../../src/http/docs/tags.ts';
import { curlOf, textOf } from './curl.ts';
import type { Answer, ApiDocument, Operation, Schema } from './document.ts';
import { membersOf, typeOf } from './members.ts';

/*
 * The pages of docs/api, generated from the OpenAPI document and its examples. A checkout has them
 * after `npm run api-docs`; git does not.
 */

type PathOperation = Operation & { method: string; path: string };

const document = openApiDocument(routes) as unknown as ApiDocument;
const operations: PathOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);
const routeOf = new Map(routes.map((route) => [operationIdOf(route), route]));

/** Page contents by file name. README.md lists the others. */
export function pages(): Map<string, string> {
  return new Map([
    ['README.md', `# Pages of the REST API\n\nAbout all of them: [docs/api.md](../api.md).\n\n${listOfPages()}\n`],
    ...document.tags.map(({ name, description = '' }): [string, string] => [
      fileOf(name),
      `${[heading(name, description), ...operationsOf(name).map(section), schemaSections(name)].filter(Boolean).join('\n\n')}\n`,
    ]),
  ]);
}

function listOfPages(): string {
  const rows = document.tags.map(({ name, description = '' }) => {
    const paths = operationsOf(name).map(({ method, path }) => `\`${method.toUpperCase()} ${withoutPrefix(path)}\``);
    return [`[${name}](${fileOf(name)})`, description, paths.join('<br>')];
  });
  return table(['Page', 'About', 'Operations'], rows);
}

/** Without the common prefix. */
function withoutPrefix(path: string): string {
  return path.replace(/^\/api\/v1\//, '');
}

function operationsOf(tag: string): PathOperation[] {
  return operations.filter(({ tags }) => tags.includes(tag));
}

function fileOf(tag: string): string {
  const page = TAGS.find(({ name }) => name === tag)?.page;
  if (page === undefined) throw new Error(`The tag "${tag}" has no page: add it to src/http/docs/tags.ts.`);
  return `${page}.md`;
}

function heading(tag: string, description: string): string {
  const rows = operationsOf(tag).map(({ summary, method, path }) => [
    `[${summary}](#${anchorOf(summary)})`,
    `\`${method.toUpperCase()} ${path}\``,
  ]);
  return `# ${tag}\n\n${description} Credentials, errors and a typed client: [docs/api.md](../api.md).\n\n${table(['Operation', 'Request'], rows)}`;
}

function section(operation: PathOperation): string {
  const { summary, method, path, description, parameters = [], requestBody, responses, operationId } = operation;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2')) as [string, Answer][];
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    linked(description),
    ...(parameters.length > 0
      ? [
          table(
            ['Parameter', 'In', 'Type', 'Description'],
            parameters.map((one) => [
              `\`${one.name}\`${one.required ? ' (required)' : ''}`,
              one.in,
              typeOf(one.schema),
              linked(one.description ?? ''),
            ]),
          ),
        ]
      : []),
    ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => body(`Body, \`${type}\``, schema)),
    ...successes.map(([status, answer]) => success(status, answer)),
    ...exampleTexts(operationId),
    ...errorTexts(responses),
  ].join('\n\n');
}

/** A route's own errors in full; the usual ones refer to docs/api.md. */
function errorTexts(responses: Operation['responses']): string[] {
  const faults = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  const own = faults.flatMap(([status, answer]) => ('$ref' in answer ? [] : [[status, linked(answer.description)]]));
  const usual = faults.flatMap(([status, answer]) => ('$ref' in answer ? [status] : []));
  return [
    ...(own.length > 0 ? [table(['Error', 'Meaning'], own)] : []),
    ...(usual.length > 0
      ? [`${own.length > 0 ? 'Other errors' : 'Errors'}, as [everywhere](../api.md#errors): ${usual.join(', ')}.`]
      : []),
  ];
}

function success(status: string, { description, content = {}, headers = {} }: Answer): string {
  const text = `**Answer ${status}**: ${linked(description)}`;
  const bodies = Object.entries(content).map(([type, { schema }]) => body(`As \`${type}\``, schema));
  const named = Object.entries(headers).map(([name, one]) => [`\`${name}\``, linked(one.description)]);
  return [text, ...bodies, ...(named.length > 0 ? [table(['Header', 'Description'], named)] : [])].join('\n\n');
}

function body(title: string, schema: Schema): string {
  if (schema.$ref) return `${title}: ${typeOf(schema)}.`;
  const members = membersOf(schema);
  if (members.length > 0) return `${title}:\n\n${memberTable(schema)}`;
  const isEmpty = schema.type === 'object' && schema.properties !== undefined;
  return `${title}: ${isEmpty ? 'an object without members; it may be left out' : (schema.description ?? typeOf(schema))}.`.replace(
    /\.\.$/,
    '.',
  );
}

function memberTable(schema: Schema): string {
  return table(
    ['Member', 'Type', 'Description'],
    membersOf(schema).map(({ name, type, isRequired, description }) => [
      `\`${name}\`${isRequired ? '' : ' (optional)'}`,
      type,
      linked(description),
    ]),
  );
}

function exampleTexts(operationId: string): string[] {
  const route = routeOf.get(operationId);
  if (route === undefined) return [];
  return Object.values(examples[operationId] ?? {}).map((exchange) => {
    const { summary, answer, answerType, status } = exchange;
    const language = answerType === undefined ? 'json' : 'text';
    const shown =
      answer === undefined
        ? `Answered ${status}, without a body.`
        : `\`\`\`${language}\n${textOf(answer).trimEnd()}\n\`\`\``;
    return `**Example**: ${summary}.\n\n\`\`\`sh\n${curlOf(route, exchange)}\n\`\`\`\n\n${shown}`;
  });
}

/** Documents the named schemas of the page's operations. */
function schemaSections(tag: string): string {
  const names = new Set<string>();
  const collect = (within: unknown): void => {
    for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === 'Error' || names.has(name!)) continue;
      names.add(name!);
      collect(document.components.schemas[name!]);
    }
  };
  collect(operationsOf(tag).map(({ parameters, requestBody, responses }) => ({ parameters, requestBody, responses })));
  if (names.size === 0) return '';
  const texts = [...names].sort().map((name) => {
    const schema = document.components.schemas[name]!;
    const text = schema.description ? `${linked(schema.description)}\n\n` : '';
    return `### ${name}\n\n${text}${memberTable(schema)}`;
  });
  return `## What these are made of\n\n${texts.join('\n\n')}`;
}

/** Descriptions link to pages relative to the root. */
function linked(text: string): string {
  return text.replaceAll('<', '&lt;').replace(/docs\/(\w+)\.md/g, '[docs/$1.md](../$1.md)');
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor that Markdown makes of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
