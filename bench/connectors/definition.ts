/** A connector for the API of the bench, with a credential and validated parameters. */
export function definitionAt(port: number): object {
  return {
    slug: 'pets',
    name: 'Pets',
    environments: { production: { baseUrl: `http://127.0.0.1:${port}/v1`, secret: { credential: 'pets' } } },
    auth: { type: 'apiKey', in: 'header', name: 'x-pets-key' },
    credentials: ['pets'],
    // Set explicitly, so that the address is checked.
    allowPrivateNetworks: ['127.0.0.0/8'],
    resources: {
      listPets: {
        method: 'GET',
        path: '/owners/{ownerId}/pets',
        parameters: {
          path: { properties: { ownerId: { type: 'integer', minimum: 1 } }, required: ['ownerId'] },
          query: {
            properties: {
              limit: { type: 'integer', minimum: 1, maximum: 100 },
              tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
            },
            additionalProperties: false,
          },
        },
      },
    },
  };
}
