import { newTeamRegister } from '../harness/postgres.ts';
import { runFolder, setup } from '../harness/run-folder.ts';

/** A run of the tests, for a test that ends it: sets up its folder and a register in it, says where that is and waits. */
setup();
const skip = (reason: string) => {
  throw new Error(reason);
};
await newTeamRegister({ skip, onTestFinished: () => undefined } as unknown as Parameters<typeof newTeamRegister>[0]);
process.stdout.write(`${runFolder()}\n`);
setInterval(() => undefined, 1_000);
