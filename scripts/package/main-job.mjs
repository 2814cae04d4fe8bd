/**
 * The program's main job once, through its own bridge in its own page: registers a sample with the practice service, waits for its
 * ID and state, sees it on screen, verifies it. Throws where a step does not end well.
 */
export async function doMainJob(page) {
  const done = await page.evaluate(async () => {
    const ask = async (name, input) => {
      const answer = await window.bridge.call(name, input);
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.code} ${answer.failure.note}`);
      return answer.value;
    };
    const until = async (what, work) => {
      const end = Date.now() + 30_000;
      for (;;) {
        const value = await work();
        if (value) return value;
        if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
        await new Promise((later) => setTimeout(later, 200));
      }
    };
    const { currentId: connectionId } = await ask('connections.state', {});
    const [sample] = await ask('files.samples', {});
    const look = (purpose) => ask('files.scan', { tokens: [sample.token], purpose });
    const { batchId } = await ask('documents.register', {
      connectionId,
      intakeId: (await look('register')).id,
      creditType: 1,
    });
    const job = await until('the job', async () => {
      const { jobs } = await ask('jobs.list', { batchId });
      return jobs.find((one) => one.state === 'done');
    });
    const status = await until('the state Completed', async () => {
      const answer = await ask('documents.status', { connectionId, documentId: job.documentId });
      return answer.answer.group === 'completed' && answer.raw;
    });
    const { runId } = await ask('verify.start', { connectionId, intakeId: (await look('verify')).id });
    const group = await until('the verdict', async () => {
      const { results } = await ask('verify.results', { runId });
      return results[0]?.answer?.group;
    });
    return { documentId: job.documentId, status, group };
  });
  if (done.group !== 'confirmed') throw new Error(`the verdict was ${done.group}`);
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Documents/ })
    .click();
  await page.getByRole('row').nth(1).click();
  await page.getByRole('complementary').getByText(done.documentId).first().waitFor({ timeout: 15_000 });
}
