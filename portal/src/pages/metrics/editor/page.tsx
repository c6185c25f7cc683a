import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric, metricQuery, versionsQuery } from '../../../api/metrics.ts';
import { EditorForm, EditorPage } from '../../../editor/editor-page.tsx';
import { announce } from '../../../ui/toast.tsx';
import { FormatPart, MeaningPart } from './fields.tsx';
import { FormulaPart } from './formula-fields.tsx';
import { changeOf, creationOf, emptyForm, formOf, type MetricForm, refusalOf, shownPaths } from './state.ts';

/** `question` of the address: what an agent asked and nobody could answer. */
export function NewMetric() {
  const { question } = useSearch({ from: '/shell/metrics/new-metric' });
  return (
    <EditorPage noun="metric" right="metrics:write">
      {() => (
        <Editor start={emptyForm()} metric={null}>
          {question !== undefined && (
            <p className="notice">
              An agent was asked: <q dir="auto">{question}</q>
            </p>
          )}
        </Editor>
      )}
    </EditorPage>
  );
}

/** The form of the newest version; what is saved is the next one. */
export function EditMetric() {
  const { name } = useParams({ from: '/shell/metrics/$name/edit' });
  const [metrics, versions] = [useQuery(metricQuery(name)), useQuery(versionsQuery(name))];
  const error = metrics.error ?? versions.error;
  const [metric, newest] = [metrics.data?.metric, versions.data?.versions[0]];
  const query = {
    data: error === null && metric && newest ? { metric, newest } : undefined,
    error,
    refetch: () => Promise.all([metrics.refetch(), versions.refetch()]),
  };
  return (
    <EditorPage noun="metric" right="metrics:write" title={`Edit ${metric?.title ?? name}`} query={query}>
      {(stored) =>
        stored && (
          <Editor key={`${name}@${stored.newest.version}`} start={formOf(stored.newest)} metric={stored.metric}>
            <p className="notice">
              This starts from version {stored.newest.version}. Saving proposes version {stored.newest.version + 1}; the
              name keeps its meaning until an administrator approves it.
            </p>
          </Editor>
        )
      }
    </EditorPage>
  );
}

interface EditorProps {
  start: MetricForm;
  /** Null for a new metric. */
  metric: Metric | null;
  children?: ReactNode;
}

function Editor({ start, metric, children }: EditorProps) {
  const navigate = useNavigate();
  const isNew = metric === null;
  const send = async (form: MetricForm) => {
    const refusal = refusalOf(form);
    if (refusal) throw refusal;
    const params = { path: { name: metric?.name ?? '' } };
    const answer = await (isNew
      ? answerOf(client.POST(METRICS, { body: creationOf(form) }))
      : answerOf(client.PATCH(`${METRICS}/{name}`, { params, body: changeOf(form) })));
    return answer.metric;
  };
  const onSaved = async ({ name, latestVersion }: Metric) => {
    await navigate({ to: '/metrics/$name', params: { name } });
    await invalidateMetrics();
    announce(`Version ${latestVersion} of “${name}” is proposed`);
  };
  return (
    <EditorForm
      noun="metric"
      title={metric?.title ?? null}
      submitLabel={isNew ? 'Propose metric' : 'Propose version'}
      start={start}
      requestOf={changeOf}
      pathsOf={shownPaths}
      send={send}
      onSaved={onSaved}
    >
      {(part) => (
        <>
          {children}
          <MeaningPart isNew={isNew} part={part} />
          <FormulaPart {...part} />
          <FormatPart {...part} />
        </>
      )}
    </EditorForm>
  );
}
