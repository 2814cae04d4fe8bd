import type { Page } from 'playwright-core';

interface Sheet {
  readonly columns: number;
  /** Of each picture, in pixels. */
  readonly width: number;
}

/** Pictures side by side as one WebP, drawn by the browser of `page`, which needs no tool beside it. */
export async function asWebp(page: Page, pictures: readonly Buffer[], sheet: Sheet): Promise<Buffer> {
  const given = pictures.map((picture) => picture.toString('base64'));
  return Buffer.from(await page.evaluate(drawSheet, { given, ...sheet }), 'base64');
}

/** Runs in the page. */
async function drawSheet(sheet: Sheet & { readonly given: readonly string[] }): Promise<string> {
  const { given, columns, width } = sheet;
  const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const images = await Promise.all(
    given.map((one) => createImageBitmap(new Blob([bytes(one)], { type: 'image/png' }))),
  );
  const gap = columns === 1 ? 0 : 16;
  const height = Math.max(...images.map((image) => Math.round((image.height * width) / image.width)));
  const rows = Math.ceil(images.length / columns);
  const canvas = new OffscreenCanvas(columns * (width + gap) + gap, rows * (height + gap) + gap);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('nothing to draw with');
  pen.imageSmoothingQuality = 'high';
  pen.fillStyle = '#9a9a9a';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const [at, image] of images.entries()) {
    const [x, y] = [(at % columns) * (width + gap) + gap, Math.floor(at / columns) * (height + gap) + gap];
    pen.drawImage(image, x, y, width, Math.round((image.height * width) / image.width));
  }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 });
  const coded = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < coded.length; at += 8192) text += String.fromCharCode(...coded.subarray(at, at + 8192));
  return btoa(text);
}
