interface Tag {
  name: string;
  /** File name in docs/api, without extension. */
  page: string;
  description: string;
}

export const TAGS: readonly Tag[] = [
  {
    name: 'Tracked events',
    page: 'events',
    description: 'Business events: sent in batches, read as a feed, queried as tables.',
  },
  {
    name: 'Chat',
    page: 'chat',
    description: 'One request for every model provider; the answer streams and is recorded.',
  },
  { name: 'Executions', page: 'executions', description: 'What agents did: conversations, outputs, tokens.' },
  {
    name: 'Execution reviews',
    page: 'reviews',
    description: 'What people say about executions, and training data made of it.',
  },
  {
    name: 'Assessments',
    page: 'assessments',
    description: 'Sets of questions, what people and programs answer about executions, and how far they agree.',
  },
  {
    name: 'Review queues',
    page: 'queues',
    description: 'Executions that wait for reviewers: handed to one person at a time.',
  },
  {
    name: 'Dashboards',
    page: 'dashboards',
    description: 'Cards, which are saved questions, and the tabs that group them.',
  },
  {
    name: 'Metrics',
    page: 'metrics',
    description: 'Named, versioned questions that people approve, and the business glossary.',
  },
  {
    name: 'Annotations',
    page: 'annotations',
    description: 'What happened when, such as releases, shown beside numbers.',
  },
  {
    name: 'Alerts',
    page: 'alerts',
    description: 'Scheduled checks of metrics and cards, digests of dashboards, and their messages.',
  },
  {
    name: 'Segments',
    page: 'segments',
    description: 'Saved filters over who did what when, and the events behind a number.',
  },
  {
    name: 'Knowledge',
    page: 'knowledge',
    description: 'Vector stores: files in, passages with their sources out.',
  },
  { name: 'Connectors', page: 'connectors', description: 'Calls of external APIs that an operator has configured.' },
  { name: 'Usage', page: 'usage', description: 'Quotas and budgets, and how much of them is used.' },
  { name: 'Users', page: 'users', description: 'The people of a tenant.' },
  {
    name: 'Portal: session',
    page: 'portal-session',
    description: 'Login and logout, the current user, and the sessions of a user.',
  },
  {
    name: 'Portal: second factor',
    page: 'portal-second-factor',
    description: 'Authenticator apps, passkeys and recovery codes, at the login and for changes that need them.',
  },
  {
    name: 'Portal: single sign-on',
    page: 'portal-single-sign-on',
    description: 'Identity providers with which users log in, by OpenID Connect.',
  },
  { name: 'Portal: API keys', page: 'portal-keys', description: 'Keys of applications and MCP clients.' },
  {
    name: 'Portal: applications',
    page: 'portal-applications',
    description: 'Applications that people let act for them by OAuth.',
  },
  { name: 'Portal: agents', page: 'portal-agents', description: 'The agents of a tenant.' },
  {
    name: 'Portal: connectors',
    page: 'portal-connectors',
    description: 'Definitions of external APIs, for calls to them.',
  },
  {
    name: 'Portal: credentials',
    page: 'portal-credentials',
    description: 'The secrets that connectors use. None is ever shown.',
  },
  {
    name: 'Portal: providers',
    page: 'portal-providers',
    description: 'LLM providers: their keys, which no answer shows, and tests of them.',
  },
  {
    name: 'Portal: discovery',
    page: 'portal-discovery',
    description: 'Names of events, their properties and values; and KPIs.',
  },
  {
    name: 'Portal: first hour',
    page: 'portal-first-hour',
    description: 'The first steps of a workspace, and sample data.',
  },
  { name: 'Portal: settings', page: 'portal-settings', description: 'Settings of a whole tenant.' },
  {
    name: 'Portal: quotas',
    page: 'portal-quotas',
    description: 'Limits of the tenant and its keys, and what chats used by day.',
  },
  {
    name: 'Portal: data',
    page: 'portal-data',
    description: 'What is stored, backups, and the erasure of a thread, an end user or a whole tenant.',
  },
  {
    name: 'Portal: system',
    page: 'portal-system',
    description: 'What runs here, and the checks of the installation.',
  },
  { name: 'Portal: audit log', page: 'portal-audit-log', description: 'Who changed what, and who logged in.' },
  { name: 'Operation', page: 'operation', description: 'Health, metrics, this reference, and MCP.' },
];
