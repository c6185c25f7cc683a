import { Dialog } from '../../../ui/dialog.tsx';
import { Check } from '../../../ui/field.tsx';
import { useKeysAreOn } from '../../../ui/use-keys.ts';

const KEYS = [
  ['J', 'Skip this item and go on to the next one; from an earlier item, on towards the newest'],
  ['K', 'Back to the item before'],
  ['G', 'Rate good'],
  ['N', 'Rate needs improvement'],
  ['B', 'Rate bad'],
  ['E', 'Edit the corrected answer'],
  ['C', 'Comment'],
  ['T', 'Tags'],
  ['S', 'Status'],
  ['P', 'Priority'],
  ['U', 'Undo the last save or skip'],
  ['?', 'This help'],
  ['Ctrl+Enter', 'Save and go on to the next item, also while you type'],
  ['Escape', 'Leave a field'],
] as const;

/** The keys of a queue, and the switch for those that are letters. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  const [areOn, setOn] = useKeysAreOn();
  return (
    <Dialog open onClose={onClose} title="Keys" description="Letters act while you do not type into a field.">
      <dl className="facts keys" aria-label="Keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label="Letters and ? act"
        help="Switch them off where speech input or another tool types letters by itself. Ctrl+Enter and Escape stay."
        checked={areOn}
        onChange={setOn}
      />
    </Dialog>
  );
}
