import { useState } from 'react';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { Folded } from '../../../ui/folded.tsx';
import type { Resource } from '../types.ts';
import type { DraftProps } from './fields.tsx';
import { METHODS, renamedResource, resourcesOf, withNewResource, withoutResource, withResource } from './resources.ts';

const METHOD_OPTIONS = METHODS.map((value) => ({ value, label: value }));

/** The calls of a connector. Parameters, mocks and fallbacks are members of the JSON alone. */
export function ResourceFields({ draft, messages, onChange }: DraftProps) {
  const resources = resourcesOf(draft);
  const [added, setAdded] = useState<number | null>(null);
  const add = () => {
    setAdded(resources.length);
    onChange(withNewResource(draft).draft);
  };
  return (
    <section className="stack tight" aria-labelledby="resources">
      <div className="row">
        <h2 id="resources" className="grow">
          {t('Resources')}
        </h2>
        <Button icon="add" onClick={add}>
          {t('Add a resource')}
        </Button>
      </div>
      {messages.at('resources') && <p className="field-error">{messages.at('resources')}</p>}
      {resources.map(([slug, resource], index) => (
        <Folded
          // biome-ignore lint/suspicious/noArrayIndexKey: a resource stays unfolded when it gets another slug
          key={index}
          isOpen={index === added}
          summary={
            <>
              {slug}{' '}
              <code>
                {resource.method} {resource.path}
              </code>
            </>
          }
        >
          {() => <ResourceForm key={slug} slug={slug} resource={resource} {...{ draft, messages, onChange }} />}
        </Folded>
      ))}
    </section>
  );
}

function ResourceForm({
  slug,
  resource,
  draft,
  messages,
  onChange,
}: DraftProps & { slug: string; resource: Partial<Resource> }) {
  const [name, setName] = useState(slug);
  const set = (changed: Partial<Resource>) => onChange(withResource(draft, slug, changed));
  const at = (member: string) => messages.at(`resources.${slug}.${member}`);
  return (
    <>
      <div className="fields">
        <TextField
          label={t('Slug')}
          value={name}
          error={messages.at(`resources.${slug}`)}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={() => onChange(renamedResource(draft, slug, name.trim()))}
        />
        <SelectField<string>
          label={t('Method')}
          value={resource.method ?? 'GET'}
          options={METHOD_OPTIONS}
          error={at('method')}
          onChoose={(method) => set({ method: method as Resource['method'] })}
        />
        <TextField
          label={t('Path')}
          placeholder="/pets/{petId}"
          value={resource.path ?? ''}
          error={at('path')}
          onChange={({ currentTarget }) => set({ path: currentTarget.value })}
        />
      </div>
      <TextArea
        label={t('Description')}
        help={t('Models read it before they call it.')}
        value={resource.description ?? ''}
        error={at('description')}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Check
        label={t('Agents see it as a tool')}
        checked={resource.exposeAsTool === true}
        onChange={(exposeAsTool) => set({ exposeAsTool })}
      />
      <div className="row">
        <Button look="danger" icon="trash" onClick={() => onChange(withoutResource(draft, slug))}>
          {t('Remove {name}', { name: slug })}
        </Button>
      </div>
    </>
  );
}
