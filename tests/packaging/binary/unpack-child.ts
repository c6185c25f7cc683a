import { unpack } from '../../../packaging/binary/boot/unpack.ts';
import { contents } from './support.ts';

/* Unpacks into the directory of the first argument; with a second one, dies midway. */

const [root, dies] = process.argv.slice(2);
const whole = contents();
const files = whole.files.map((file) => ({
  name: file.name,
  get size() {
    if (dies && file.name.startsWith('dist')) process.kill(process.pid, 'SIGKILL');
    return file.size;
  },
}));
unpack(root!, { ...whole, files });
