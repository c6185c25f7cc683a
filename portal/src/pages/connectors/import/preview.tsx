import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { Table } from '../../../ui/table.tsx';
import { ENVIRONMENT_LABELS } from '../connectors.ts';
import type { EnvironmentName } from '../types.ts';

export type Preview = Schemas['ImportPreview'];
type Change = Preview['changes'][number];

const CHANGES = {
  added: { label: t('Added'), tone: 'good' },
  changed: { label: t('Changed'), tone: 'warning' },
  removed: { label: t('Removed'), tone: 'bad' },
} as const;

interface PreviewProps {
  preview: Preview;
  isNew: boolean;
  isBusy: boolean;
  onSave(): void;
}

/** The result of an import before it is stored: changes, all notes of the importer, and the calls. */
export function PreviewOfImport({ preview, isNew, isBusy, onSave }: PreviewProps) {
  const { definition, notes, changes, missingCredentials, outcome } = preview;
  const resources = Object.entries(definition.resources);
  const addresses = Object.entries(definition.environments).map(
    ([name, { baseUrl }]) => `${ENVIRONMENT_LABELS[name as EnvironmentName]}: ${baseUrl}`,
  );
  const isUnchanged = !isNew && outcome === 'unchanged';
  return (
    <Section
      id="preview"
      title={t.count(resources.length, '{count} call of {name}', '{count} calls of {name}', { name: definition.name })}
    >
      <p className="breaking" role="status">
        {isUnchanged ? t('The document changes nothing.') : addresses.join(' · ')}
      </p>
      {changes.length > 0 && (
        <>
          <h3>{t('Changes')}</h3>
          <ul className="bullets" aria-label={t('Changes')}>
            {changes.map((change) => (
              <ChangeItem key={`${change.of} ${change.name}`} change={change} />
            ))}
          </ul>
        </>
      )}
      {missingCredentials.length > 0 && (
        <p className="notice warning">
          {t('It needs a secret. Store the credential {names} after you have saved it.', {
            names: missingCredentials.join(', '),
          })}
        </p>
      )}
      <h3>{t('Notes')}</h3>
      {notes.length === 0 ? (
        <p className="muted">{t('Everything is taken as the document says.')}</p>
      ) : (
        <ul className="bullets" aria-label={t('Notes')}>
          {notes.map(({ at, message, more }) => (
            <li key={message}>
              <code className="small breaking">{at}</code>{' '}
              {more > 0 && (
                <span className="muted">{t.count(more, 'and {count} more place', 'and {count} more places')} </span>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
      <Folded summary={t('All calls')}>
        {() => (
          <Table label={t('All calls')} columns={[t('Slug'), t('Call'), t('Description')]}>
            {resources.map(([slug, { method, path, description }]) => (
              <tr key={slug}>
                <th scope="row">{slug}</th>
                <td>
                  <code>
                    {method} {path}
                  </code>
                </td>
                <td>{description}</td>
              </tr>
            ))}
          </Table>
        )}
      </Folded>
      <div className="row">
        <Button look="primary" disabled={isBusy || isUnchanged} onClick={onSave}>
          {isNew ? t('Create connector') : t('Save the changes')}
        </Button>
      </div>
    </Section>
  );
}

function ChangeItem({ change: { change, of, name, label, details } }: { change: Change }) {
  const { label: word, tone } = CHANGES[change];
  return (
    <li>
      <Badge tone={tone}>{word}</Badge> <code className="breaking">{label}</code>{' '}
      {of === 'resource' ? <span className="muted">{name}</span> : <span className="muted">{t('Schema')}</span>}
      {change === 'removed' && of === 'resource' && <> {t('Calls of it will get 404.')}</>}
      {details.length > 0 && (
        <ul className="small">
          {details.map((detail) => (
            <li key={detail} className="breaking">
              <code>{detail}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
