/** The mocks answer without a network. */
export const CONNECTOR_EXAMPLE = {
  slug: 'github',
  name: 'GitHub',
  description: 'Public repositories.',
  environments: { production: { baseUrl: 'https://api.github.com' } },
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  timeoutMs: 10_000,
  resources: {
    'get-repository': {
      description: 'One repository: what it is about, its stars and its language.',
      method: 'GET',
      path: '/repos/{owner}/{repo}',
      parameters: {
        path: {
          type: 'object',
          properties: { owner: { type: 'string' }, repo: { type: 'string' } },
          required: ['owner', 'repo'],
        },
      },
      mock: { body: { full_name: 'expressjs/express', language: 'JavaScript', stargazers_count: 65_000 } },
    },
    'search-repositories': {
      description: 'Repositories that a search finds.',
      method: 'GET',
      path: '/search/repositories',
      parameters: {
        query: {
          type: 'object',
          properties: {
            q: { type: 'string', description: 'Words, and qualifiers such as language:typescript.' },
            sort: { enum: ['stars', 'forks', 'updated'] },
            per_page: { type: 'integer', minimum: 1, maximum: 100 },
          },
          required: ['q'],
        },
      },
      mock: { body: { total_count: 1, items: [{ full_name: 'expressjs/express' }] } },
      fallbackResponse: { total_count: 0, items: [] },
    },
  },
};
