import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Form, SelectField } from '../../../ui/field.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { CONNECTORS, ENVIRONMENT_LABELS } from '../connectors.ts';
import type { Definition, EnvironmentName } from '../types.ts';
import { type CallTexts, callFields, dataOf, keyOf } from './call-fields.ts';
import { CallInput } from './call-input.tsx';
import { Outcome } from './outcome.tsx';
import type { PartProps } from './parts.ts';

const route = getRouteApi('/shell/connectors/$slug');

/** Calls a resource as an agent would, and shows what was sent and what came back. */
export function TryCall({ definition }: PartProps) {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const slugs = Object.keys(definition.resources);
  const slug = slugs.find((one) => one === search.resource) ?? slugs[0]!;
  return (
    <section className="panel padded stack" aria-label={t('Try a call')}>
      <SelectField<string>
        label={t('Resource')}
        value={slug}
        options={slugs.map((value) => ({ value, label: labelOf(definition, value) }))}
        onChoose={(resource) => setSearch({ resource })}
      />
      <CallForm key={slug} slug={slug} definition={definition} />
    </section>
  );
}

function labelOf({ resources }: Definition, slug: string): string {
  const { method, path } = resources[slug]!;
  return `${slug} · ${method} ${path}`;
}

function CallForm({ slug, definition }: PartProps & { slug: string }) {
  const resource = definition.resources[slug]!;
  const names = Object.keys(definition.environments) as EnvironmentName[];
  const [environment, setEnvironment] = useState(definition.defaultEnvironment ?? names.at(-1)!);
  const [texts, setTexts] = useState<CallTexts>({});
  const [tried, setTried] = useState<Schemas['TriedCall'] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { error, isBusy, run } = useTask();
  const outcome = useRef<HTMLDivElement>(null);
  const fields = callFields(definition, resource);
  const isReadOnly = resource.method === 'GET' || resource.method === 'HEAD';
  const call = async (useMock: boolean) => {
    const body = { resource: slug, environment, data: dataOf(fields, texts), options: { useMock } };
    const params = { path: { slug: definition.slug } };
    setTried(await answerOf(client.POST(`${CONNECTORS}/{slug}/try`, { params, body })));
    outcome.current?.focus();
  };
  const callApi = () => (isReadOnly ? void run(() => call(false)) : setAsking(true));
  return (
    <>
      <Form aria-label={t('Call')} onSubmit={callApi}>
        {resource.description !== undefined && <p className="muted">{resource.description}</p>}
        {names.length > 1 && (
          <SelectField
            label={t('Environment')}
            value={environment}
            options={names.map((value) => ({ value, label: ENVIRONMENT_LABELS[value] }))}
            onChoose={setEnvironment}
          />
        )}
        <div className="fields">
          {fields.map((field) => {
            const key = keyOf(field);
            const set = (text: string) => setTexts((before) => ({ ...before, [key]: text }));
            return <CallInput key={key} field={field} text={texts[key] ?? ''} onChange={set} />;
          })}
        </div>
        {fields.length === 0 && <p className="muted">{t('This call takes no parameters.')}</p>}
        <div className="row">
          <Button type="submit" look="primary" disabled={isBusy}>
            {t('Call the API')}
          </Button>
          <Button
            disabled={isBusy}
            reason={resource.mock === undefined ? t('This resource has no mock.') : undefined}
            onClick={() => void run(() => call(true))}
          >
            {t('Use the mock')}
          </Button>
        </div>
      </Form>
      {error !== null && <ErrorNotice error={error} />}
      <div ref={outcome} tabIndex={-1} className="stack">
        {tried && <Outcome tried={tried} />}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('Call {method} of {environment}?', {
            method: resource.method,
            environment: ENVIRONMENT_LABELS[environment],
          })}
          description={t('This is a real call, which may change something in the API.')}
          act={t('Call the API')}
          look="primary"
          onAct={() => call(false)}
          onClose={() => setAsking(false)}
          focusAfter={() => outcome.current}
        />
      )}
    </>
  );
}
