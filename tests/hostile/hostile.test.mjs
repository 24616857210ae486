// Opens each hostile folder of one family, named by the environment's MCA_HOSTILE_FAMILY, in the real server.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Session } from './session.mjs';
import { World } from './world.mjs';

const family = process.env.MCA_HOSTILE_FAMILY;
assert.match(family ?? '', /^\w+$/, 'MCA_HOSTILE_FAMILY names no family');
const { cases, options = {} } = await import(`./folders/${family}.mjs`);
const only = new RegExp(process.env.MCA_HOSTILE_ONLY ?? '');

describe(`hostile folders: ${family}`, () => {
  const world = new World();
  const made = cases
    .filter((one) => only.test(one.name))
    .map((one, i) => {
      const folder = world.folder(`${family}-${i}`);
      const skip = one.skip?.() || false;
      return { one, folder, skip };
    });
  let shared;

  before(async () => {
    for (const { one, folder, skip } of made) if (!skip) await one.make(folder, world);
    const folders = made.filter(({ one }) => !one.session).map(({ folder }) => folder.at);
    shared = await Session.start(world, folders, options);
  });
  after(() => {
    shared?.abandon();
    world.end();
  });

  async function runInOwnSession(one, folder) {
    const own = await Session.start(world, one.session.opens?.(folder) ?? [folder.at], { ...options, ...one.session });
    try {
      await own.run(one, folder);
      await own.end();
    } finally {
      own.abandon();
    }
  }

  for (const { one, folder, skip } of made) {
    it(one.name, { skip }, () => {
      if (!one.session) return shared.run(one, folder);
      const inOwn = runInOwnSession(one, folder);
      return one.fails ? assert.rejects(inOwn, one.fails) : inOwn;
    });
  }

  it('leaves nothing when the server ends', () => shared.end());
});
