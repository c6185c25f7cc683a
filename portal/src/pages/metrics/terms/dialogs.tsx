import { answerOf, client } from '../../../api/client.ts';
import { METRICS, useKnownMetrics } from '../../../api/metrics.ts';
import { invalidate } from '../../../api/session.ts';
import { metricSuggestions } from '../../../question/words/choices.ts';
import { Combobox } from '../../../ui/combobox.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TERMS, type Term, type TermChange } from './terms.ts';

export default function TermDialog({ change, onClose }: { change: TermChange; onClose(): void }) {
  if (change.kind === 'delete') return <DeleteTerm term={change.term} onClose={onClose} />;
  return <TermForm term={change.kind === 'add' ? null : change.term} onClose={onClose} />;
}

function TermForm({ term, onClose }: { term: Term | null; onClose(): void }) {
  const { synonyms = [], metric = '', definition = '' } = term ?? {};
  const known = useKnownMetrics() ?? [];
  const save = (form: { term: string; definition: string; synonyms: string; metric: string }) => {
    const others = form.synonyms
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const [named, meant] = [form.term.trim(), form.metric.trim()];
    const body = { definition: form.definition.trim() };
    if (term === null) {
      const given = { ...(others.length > 0 && { synonyms: others }), ...(meant !== '' && { metric: meant }) };
      return answerOf(client.POST(TERMS, { body: { term: named, ...body, ...given } }));
    }
    const changed = { synonyms: others.length === 0 ? null : others, metric: meant === '' ? null : meant };
    const params = { path: { term: term.term } };
    return answerOf(client.PATCH(`${TERMS}/{term}`, { params, body: { ...body, ...changed } }));
  };
  return (
    <FormDialog
      title={term === null ? 'Add a term' : `Edit “${term.term}”`}
      act={term === null ? 'Add' : 'Save'}
      start={{ term: '', definition, synonyms: synonyms.join(', '), metric }}
      onSubmit={save}
      invalidate={invalidateTerms}
      done={(form) =>
        term === null ? `The term “${form.term.trim()}” was added` : `The term “${term.term}” was saved`
      }
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {term === null && <TextField label="Term" maxLength={100} autoFocus {...field.text('term')} />}
          <TextArea label="Definition" maxLength={2_000} {...field.text('definition')} />
          <TextField label="Synonyms" help="Separated by commas." {...field.text('synonyms')} />
          <Combobox
            label="Metric that it means"
            help="Questions then find the metric by the term and its synonyms."
            suggestions={metricSuggestions(known)}
            placeholder="Choose a metric"
            {...field.value('metric')}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeleteTerm({ term: { term, metric }, onClose }: { term: Term; onClose(): void }) {
  return (
    <ActDialog
      title="Delete this term?"
      description={
        metric === undefined
          ? `“${term}” leaves the glossary for everybody.`
          : `“${term}” leaves the glossary. Questions do not find the metric “${metric}” by it any more.`
      }
      act="Delete"
      onAct={() => answerOf(client.DELETE(`${TERMS}/{term}`, { params: { path: { term } } }))}
      invalidate={invalidateTerms}
      done={`The term “${term}” was deleted`}
      onClose={onClose}
    />
  );
}

/** Searches for metrics use terms, too. */
const invalidateTerms = () => invalidate((path) => path === TERMS || path === METRICS);
