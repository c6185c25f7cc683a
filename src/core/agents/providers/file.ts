import { unknownName } from '../../base/shared/alike-names.ts';
import { definitionsIn } from '../../base/shared/definition-file.ts';
import { invalid } from '../../base/shared/errors.ts';
import { type ModelProviderDefinition, providerDefinitionSchema, providerNameSchema } from './schema.ts';

export function providerDefinitions(input: unknown): ModelProviderDefinition[] {
  return definitionsIn(input, {
    noun: 'provider',
    schema: providerDefinitionSchema,
    key: 'name',
    keySchema: providerNameSchema,
  });
}

/** Throws `invalid` for fallbacks to unknown providers or to another vendor's. */
export function checkFallbacks(
  definitions: readonly Pick<ModelProviderDefinition, 'name' | 'provider' | 'fallbacks'>[],
): void {
  const providers = new Map(definitions.map(({ name, provider }) => [name, provider]));
  const problems = definitions.flatMap(({ name, fallbacks }) =>
    fallbacks.flatMap(({ providerName, provider }, index) => {
      if (providerName === undefined) return [];
      const actual = providers.get(providerName);
      if (actual === provider) return [];
      const at = `provider ${JSON.stringify(name)}: fallbacks[${index}]`;
      if (actual === undefined) return [`${at}.providerName: ${unknownProvider(providerName, [...providers.keys()])}`];
      return [`${at}.provider: must be ${actual}, as ${JSON.stringify(providerName)} is`];
    }),
  );
  if (problems.length > 0) throw invalid(...problems);
}

export function unknownProvider(name: string, known: readonly string[]): string {
  return unknownName('provider', name, known, '`providers apply` installs them');
}
