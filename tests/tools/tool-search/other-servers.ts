/** What a host knows of a server's tools before it loads one. */
export interface Server {
  name: string;
  instructions?: string;
  tools: { name: string; title?: string; description?: string }[];
}

/** Servers that people often connect together with this one, described as theirs are. */
export const OTHER_SERVERS: Server[] = [
  {
    name: 'github',
    instructions:
      'Use search tools for targeted queries with specific criteria, list tools for broad retrieval of items.',
    tools: [
      {
        name: 'search_issues',
        description: 'Search for issues in GitHub repositories using issues search syntax already scoped to is:issue',
      },
      { name: 'list_pull_requests', description: 'List pull requests in a GitHub repository' },
      { name: 'create_issue', description: 'Create a new issue in a GitHub repository with a title, body and labels' },
      { name: 'search_code', description: 'Find exact symbols, functions or text across code in all repositories' },
      { name: 'list_releases', description: 'List the releases of a GitHub repository, the latest first' },
    ],
  },
  {
    name: 'filesystem',
    tools: [
      { name: 'read_file', description: 'Read the complete contents of a file from the file system as text' },
      { name: 'search_files', description: 'Recursively search for files and directories matching a pattern' },
      { name: 'list_directory', description: 'Get a detailed listing of all files and directories in a path' },
    ],
  },
  {
    name: 'slack',
    tools: [
      { name: 'send_message', description: 'Send a message to a Slack channel or to a person' },
      { name: 'search_messages', description: 'Search messages in channels, direct messages and threads by keyword' },
      { name: 'get_channel_history', description: 'Get the most recent messages from a channel' },
    ],
  },
  {
    name: 'postgres',
    tools: [
      { name: 'query', description: 'Run a read-only SQL query against the database and return the rows' },
      { name: 'describe_table', description: 'Show the columns, types and indexes of a table in the database' },
    ],
  },
  {
    name: 'calendar',
    tools: [
      {
        name: 'list_events',
        description: 'List the events on a calendar between two dates, with time, title and attendees',
      },
      { name: 'create_event', description: 'Create a calendar event: a meeting with attendees, a place and reminders' },
    ],
  },
  {
    name: 'notion',
    instructions: 'Search the workspace before you create a page.',
    tools: [
      { name: 'search', description: 'Search over pages and databases of your Notion workspace and connected sources' },
      { name: 'fetch', description: 'Retrieve a page or database by its URL or id, with its contents' },
    ],
  },
  {
    name: 'grafana',
    tools: [
      {
        name: 'search_dashboards',
        description: 'Search for Grafana dashboards by a query string and list their titles',
      },
      {
        name: 'query_prometheus',
        description: 'Query Prometheus metrics with a PromQL expression, at an instant or over a range of time',
      },
      { name: 'list_alert_rules', description: 'List alert rules with their state: firing, pending or normal' },
    ],
  },
  {
    name: 'sentry',
    tools: [
      { name: 'search_events', description: 'Search error events, logs and spans in a Sentry project and count them' },
      { name: 'get_issue_details', description: 'Get details of an issue: stack trace, tags and affected users' },
    ],
  },
  {
    name: 'stripe',
    tools: [
      { name: 'list_customers', description: 'Fetch a list of customers from Stripe by e-mail' },
      { name: 'create_refund', description: 'Refund a payment intent in Stripe, in full or in part' },
      { name: 'list_invoices', description: 'List invoices of a customer in Stripe' },
    ],
  },
  {
    name: 'drive',
    tools: [
      { name: 'search_documents', description: 'Search documents, sheets and slides in Google Drive by name or text' },
      { name: 'read_document', description: 'Read the text of a document in Google Drive' },
    ],
  },
];
