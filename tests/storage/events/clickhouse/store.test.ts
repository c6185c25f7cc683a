import { test } from 'node:test';
import { type Backend, testEventStore } from '../../../contracts/event-store.ts';
import { testEventStoreDecimals } from '../../../contracts/event-store-decimals.ts';
import { testEventStoreNodes } from '../../../contracts/event-store-nodes.ts';
import { testEventStoreRemoval } from '../../../contracts/event-store-removal.ts';
import { openNode, type Place, skip, useEngines } from './places.ts';

const engines = useEngines();
const places = new Map<string, Promise<Place>>();
let directories = 0;

const backend: Backend = {
  name: 'ClickhouseEventStore',
  directory: () => `place ${++directories}`,
  open: async (directory, { dedupWindowMs = 60_000 } = {}) => {
    const place = places.get(directory) ?? engines().then((started) => started.place());
    places.set(directory, place);
    return openNode(await place, { dedupWindowMs });
  },
};

const define = ((title: string, run: never) => test(title, { skip }, run)) as unknown as typeof test;

testEventStore(backend, define);
testEventStoreDecimals(backend, define);
testEventStoreRemoval(backend, define);
testEventStoreNodes(backend, define);
