import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric } from '../../../api/metrics.ts';
import { EditorForm, useEditor } from '../../../editor/editor-page.tsx';
import { announce } from '../../../ui/toast.tsx';
import { FormatPart, MeaningPart } from './fields.tsx';
import { FormulaPart } from './formula-fields.tsx';
import { changeOf, creationOf, type MetricForm, refusalOf, shownPaths } from './state.ts';

interface EditorProps {
  start: MetricForm;
  /** Null for a new metric. */
  metric: Metric | null;
  children?: ReactNode;
}

/** The form of a metric. */
export function Editor({ start, metric, children }: EditorProps) {
  const navigate = useNavigate();
  const editing = useEditor(start, changeOf, shownPaths);
  const { form, change, messages } = editing;

  const save = () =>
    editing.save(
      () => propose(form, metric),
      async ({ name, latestVersion }) => {
        await navigate({ to: '/metrics/$name', params: { name } });
        await invalidateMetrics();
        announce(`Version ${latestVersion} of “${name}” is proposed`);
      },
    );

  return (
    <EditorForm
      noun="metric"
      title={metric?.title ?? null}
      submitLabel={metric === null ? 'Propose metric' : 'Propose version'}
      editing={editing}
      onSave={() => void save()}
    >
      {children}
      <MeaningPart form={form} messages={messages} isNew={metric === null} onChange={change} />
      <FormulaPart form={form} messages={messages} onChange={change} />
      <FormatPart form={form} messages={messages} onChange={change} />
    </EditorForm>
  );
}

async function propose(form: MetricForm, metric: Metric | null): Promise<Metric> {
  const refusal = refusalOf(form);
  if (refusal) throw refusal;
  const { data, error } =
    metric === null
      ? await client.POST(METRICS, { body: creationOf(form) })
      : await client.PATCH(`${METRICS}/{name}`, { params: { path: { name: metric.name } }, body: changeOf(form) });
  if (!data) throw error;
  return data.metric;
}
