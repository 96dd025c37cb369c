// The part of the page that the lessons are.

import type { Route } from "../state";
import { LessonPage } from "./LessonPage";
import "./lessons.css";
import { LessonsPage } from "./LessonsPage";

export function Lessons({ route }: { route: Route }) {
  return route.page === "lesson" ? <LessonPage route={route} /> : <LessonsPage />;
}
