import type { Language } from '../../foundation/language.ts';
import { reportTextsDe } from './report-texts-de.ts';
import { reportTextsEn } from './report-texts-en.ts';
import type { ReportTexts } from './report-texts-type.ts';

export const reportTexts: Readonly<Record<Language, ReportTexts>> = { en: reportTextsEn, de: reportTextsDe };
