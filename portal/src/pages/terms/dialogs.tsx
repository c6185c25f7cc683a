import { useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { METRICS } from '../../api/metrics.ts';
import { invalidate } from '../../api/session.ts';
import { MetricNameField } from '../../question/fields/metric-field.tsx';
import { ConfirmDialog, pageTitle } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { announce } from '../../ui/toast.tsx';
import { TERMS, type Term, type TermChange } from './terms.ts';

const PATHS = ['term', 'definition', 'synonyms', 'metric'];

interface TermDialogProps {
  change: TermChange;
  onClose(): void;
}

export default function TermDialog({ change, onClose }: TermDialogProps) {
  if (change.kind === 'add') return <TermForm term={null} onClose={onClose} />;
  if (change.kind === 'edit') return <TermForm term={change.term} onClose={onClose} />;
  return <DeleteTerm term={change.term} onClose={onClose} />;
}

function TermForm({ term, onClose }: { term: Term | null; onClose(): void }) {
  const [name, setName] = useState(term?.term ?? '');
  const [definition, setDefinition] = useState(term?.definition ?? '');
  const [synonyms, setSynonyms] = useState(term?.synonyms?.join(', ') ?? '');
  const [metric, setMetric] = useState(term?.metric ?? '');
  const save = async () => {
    const others = synonyms
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const [named, meant] = [name.trim(), metric.trim()];
    const body = { definition: definition.trim() };
    if (term === null) {
      const given = { ...(others.length > 0 && { synonyms: others }), ...(meant !== '' && { metric: meant }) };
      await answerOf(client.POST(TERMS, { body: { term: named, ...body, ...given } }));
    } else {
      const changed = { synonyms: others.length === 0 ? null : others, metric: meant === '' ? null : meant };
      const params = { path: { term: term.term } };
      await answerOf(client.PATCH(`${TERMS}/{term}`, { params, body: { ...body, ...changed } }));
    }
    await invalidateTerms();
    announce(term === null ? `The term “${named}” was added` : `The term “${term.term}” was saved`);
  };
  return (
    <FormDialog
      title={term === null ? 'Add a term' : `Edit “${term.term}”`}
      act={term === null ? 'Add' : 'Save'}
      paths={PATHS}
      onSubmit={save}
      onClose={onClose}
    >
      {(messages) => (
        <>
          {term === null && (
            <TextField
              label="Term"
              value={name}
              maxLength={100}
              autoFocus
              error={messages.at('term')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <TextArea
            label="Definition"
            value={definition}
            maxLength={2_000}
            error={messages.at('definition')}
            onChange={(event) => setDefinition(event.currentTarget.value)}
          />
          <TextField
            label="Synonyms"
            help="Separated by commas."
            value={synonyms}
            error={messages.at('synonyms')}
            onChange={(event) => setSynonyms(event.currentTarget.value)}
          />
          <MetricNameField
            label="Metric that it means"
            help="Questions then find the metric by the term and its synonyms."
            value={metric}
            error={messages.at('metric')}
            onChange={setMetric}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeleteTerm({ term: { term, metric }, onClose }: { term: Term; onClose(): void }) {
  const remove = async () => {
    await answerOf(client.DELETE(`${TERMS}/{term}`, { params: { path: { term } } }));
    await invalidateTerms();
    announce(`The term “${term}” was deleted`);
  };
  return (
    <ConfirmDialog
      title="Delete this term?"
      description={
        metric === undefined
          ? `“${term}” leaves the glossary for everybody.`
          : `“${term}” leaves the glossary. Questions do not find the metric “${metric}” by it any more.`
      }
      act="Delete"
      onAct={remove}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}

/** Searches for metrics use terms, too. */
const invalidateTerms = () => invalidate((path) => path === TERMS || path === METRICS);
