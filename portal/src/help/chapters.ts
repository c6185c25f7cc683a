import { t } from '../language/index.ts';

/** The chapters that pages link to, by their files in `docs`, in the order in which a newcomer reads them. */
export const CHAPTERS = {
  portal: t('The portal'),
  dashboards: t('Dashboards'),
  events: t('Events and questions'),
  metrics: t('Metrics'),
  segments: t('Segments and the events behind a number'),
  explain: t('Explanations'),
  alerts: t('Alerts and digests'),
  executions: t('Executions'),
  reviews: t('Reviews'),
  chat: t('Chat'),
  knowledge: t('Knowledge'),
  mcp: t('MCP'),
  hosts: t('MCP clients'),
  connectors: t('Connectors'),
  providers: t('LLM providers'),
  api: t('The REST API'),
  access: t('Access and scopes'),
  users: t('Users'),
  login: t('Applications that log in'),
  sso: t('Single sign-on'),
  'second-factor': t('Second factor'),
  limits: t('Limits and quotas'),
  'limits-below-tenant': t('Limits below the tenant'),
  operation: t('Operation'),
  configuration: t('Settings of the server'),
  install: t('Installation'),
  scale: t('Several nodes'),
  glossary: t('Glossary'),
};

export type Chapter = keyof typeof CHAPTERS;

export function isChapter(name: string): name is Chapter {
  return Object.hasOwn(CHAPTERS, name);
}

/** The chapter of each page, and its part, by the beginnings of addresses: the longest that fits counts. */
const OF_PAGES: Record<string, `${Chapter}` | `${Chapter}#${string}`> = {
  '/': 'dashboards',
  '/cards': 'dashboards',
  '/explore': 'events',
  '/cases': 'segments#the-events-behind-a-number',
  '/metrics': 'metrics',
  '/explain': 'explain',
  '/segments': 'segments',
  '/annotations': 'explain',
  '/alerts': 'alerts',
  '/digests': 'alerts',
  '/executions': 'executions',
  '/threads': 'executions',
  '/gaps': 'mcp',
  '/reviews': 'reviews',
  '/training': 'reviews#in-the-portal',
  '/chat': 'chat#in-the-portal',
  '/knowledge': 'knowledge#in-the-portal',
  '/connect': 'hosts',
  '/applications': 'login',
  '/connectors': 'connectors#in-the-portal',
  '/account': 'users',
  '/help': 'portal',
  '/settings/keys': 'access',
  '/settings/users': 'users#portal',
  '/settings/security': 'second-factor#for-administrators',
  '/settings/sign-on': 'sso',
  '/settings/providers': 'providers#in-the-portal',
  '/settings/credentials': 'connectors',
  '/settings/quotas': 'limits#in-the-portal',
  '/settings/audit': 'portal#audit-log',
  '/settings/data': 'portal#data',
  '/settings/system': 'operation#doctor',
};

export interface ChapterPlace {
  chapter: Chapter;
  /** The id of a heading. */
  hash?: string;
}

/** Where the docs explain the page of an address. */
export function chapterOf(pathname: string): ChapterPlace {
  const fits = (page: string) => page === '/' || pathname === page || pathname.startsWith(`${page}/`);
  const longest = Object.keys(OF_PAGES)
    .filter(fits)
    .reduce((one, other) => (other.length > one.length ? other : one));
  const [chapter, hash] = OF_PAGES[longest]!.split('#') as [Chapter, string | undefined];
  return { chapter, ...(hash !== undefined && { hash }) };
}

/** The id of a heading, as links of the docs name it. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/**
 * A chapter whose links are whole addresses: those of other chapters below `base`. Links to what the pages do not have,
 * such as decisions, become their text.
 */
export function withWholeLinks(markdown: string, chapter: string, base: string): string {
  return markdown.replace(/\[([^\]]*)\]\((?!https?:)([^)\s]+)\)/g, (_, text: string, address: string) => {
    const [, name = chapter, hash = ''] = /^(?:([\w-]+)\.md)?(#.*)?$/.exec(address) ?? ['', '', ''];
    return isChapter(name) ? `[${text}](${base}${name}${hash})` : text;
  });
}
