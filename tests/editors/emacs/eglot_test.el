;;; eglot_test.el --- mca-lsp in Emacs, through Eglot  -*- lexical-binding: t -*-

;; Opens files as a person would and looks at what Emacs shows: the overlays of inlay hints, eldoc's text, flymake's
;; diagnostics.  Emacs is set up as docs/editors.md tells.  Run by run.sh with an empty home and the server in PATH.
;;
;; A batch Emacs draws nothing, so it never asks for hints by itself: the test calls the function that redisplay would.

;;; Code:

(require 'eglot)
(require 'ert)

(defconst mca-deadline 60 "Seconds until what is waited for counts as missing.")

(defconst mca-assembly "	# mca: triple=x86_64-linux-gnu cpu=skylake
	.text
sum:
.Lloop:
	vaddps (%rdi), %ymm0, %ymm0
	addq $32, %rdi
	cmpq %rsi, %rdi
	jne .Lloop
	ret
")

(defconst mca-source "// mca: cpu=skylake
float sum(const float *values, int count) {
  float total = 0;
  for (int i = 0; i < count; ++i)
    total += values[i];
  return total;
}
")

(defun mca-set-up-as-documented (page)
  "Evaluates the Emacs Lisp that the file PAGE shows."
  (with-temp-buffer
    (insert-file-contents page)
    (let ((blocks 0))
      (while (re-search-forward "^```elisp\n" nil t)
        (let ((end (save-excursion (re-search-forward "^```$") (match-beginning 0))))
          (while (progn (skip-chars-forward " \n") (< (point) end))
            (eval (read (current-buffer)) t))
          (setq blocks (1+ blocks)))
        (forward-line 1))
      (unless (= blocks 3)
        (error "%d blocks of Emacs Lisp in %s, not 3" blocks page)))))

(mca-set-up-as-documented
 (expand-file-name "../../../docs/editors.md" (file-name-directory load-file-name)))

(defun mca-until (what probe)
  "The first non-nil value of PROBE, or a failure that names WHAT."
  (let ((end (+ (float-time) mca-deadline)) value)
    (while (not (setq value (funcall probe)))
      (when (> (float-time) end)
        (ert-fail (list "waited in vain for" what)))
      (accept-process-output nil 0.05))
    value))

(defun mca-line-of (text)
  "The number of the line that holds TEXT."
  (save-excursion
    (goto-char (point-min))
    (search-forward text)
    (line-number-at-pos (match-beginning 0))))

(defun mca-hints ()
  "The inlay hints shown, as (LINE . TEXT).
Eglot makes an overlay of each part of a label; of those behind one character the first has the highest priority."
  (let ((parts (seq-filter (lambda (overlay) (overlay-get overlay 'eglot--inlay-hint))
                           (overlays-in (point-min) (point-max))))
        (hints nil))
    (dolist (overlay (sort parts (lambda (a b) (> (or (overlay-get a 'priority) 0) (or (overlay-get b 'priority) 0)))))
      (let ((line (line-number-at-pos (overlay-start overlay)))
            (text (substring-no-properties (overlay-get overlay 'after-string))))
        (setf (alist-get line hints) (concat (alist-get line hints) text))))
    hints))

(defun mca-hint-on (line)
  "The text of the one hint, which must be on LINE."
  (let ((hints nil))
    (mca-until "an inlay hint"
               (lambda ()
                 (remove-overlays nil nil 'eglot--overlay t)
                 (eglot--update-hints-1 (point-min) (point-max))
                 (let ((end (+ (float-time) 5)))
                   (while (and (not (setq hints (mca-hints))) (< (float-time) end))
                     (accept-process-output nil 0.05)))
                 hints))
    (should (equal (mapcar #'car hints) (list line)))
    (cdar hints)))

(defun mca-hover-at (text)
  "What eldoc shows with point on TEXT."
  (let (shown)
    (save-excursion
      (goto-char (point-min))
      (search-forward text)
      (goto-char (match-beginning 0))
      (mca-until "a hover"
                 (lambda ()
                   (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (or text shown))))
                   (accept-process-output nil 0.2)
                   shown)))
    (substring-no-properties shown)))

(defun mca-diagnostics ()
  "What flymake shows, as (LINE . TEXT)."
  (flymake-start)
  (mapcar (lambda (diagnostic)
            (cons (line-number-at-pos (flymake-diagnostic-beg diagnostic)) (flymake-diagnostic-text diagnostic)))
          (flymake-diagnostics)))

(defun mca-await-diagnostic (line regexp)
  "Waits for a diagnostic on LINE whose text matches REGEXP."
  (mca-until (format "a diagnostic on line %d: %s" line regexp)
             (lambda ()
               (seq-find (lambda (one) (and (= (car one) line) (string-match-p regexp (cdr one))))
                         (mca-diagnostics)))))

(defmacro mca-with-file (name content &rest body)
  "Runs BODY in a buffer on the file NAME with CONTENT, with Eglot on."
  (declare (indent 2))
  `(let* ((folder (make-temp-file "mca-emacs-" t))
          (file (expand-file-name ,name folder))
          (eglot-sync-connect mca-deadline))
     (unwind-protect
         (progn
           (write-region ,content nil file nil 'silent)
           (with-current-buffer (find-file-noselect file)
             (apply #'eglot (eglot--guess-contact))
             (mca-until "the connection" #'eglot-managed-p)
             (should eglot-inlay-hints-mode)
             ,@body
             (set-buffer-modified-p nil)
             (eglot-shutdown (eglot-current-server))
             (kill-buffer)))
       (delete-directory folder t))))

(defun mca-expect-plain (text)
  "TEXT has the numbers, and none of markdown's marks."
  (should (string-match-p "IPC [0-9.]+ · [0-9.]+ cyc" text))
  (should-not (string-match-p "```\\|^#+ \\|\\*\\*" text)))

(ert-deftest mca-assembly-is-analysed-as-it-is-edited ()
  (mca-with-file "sum.s" mca-assembly
    (should (string-match-p "\\` IPC [0-9.]+ · 4\\.[0-9] cyc" (mca-hint-on (mca-line-of ".Lloop:"))))
    (mca-await-diagnostic (mca-line-of ".Lloop:") "chain")
    (mca-expect-plain (mca-hover-at ".Lloop:"))
    ;; A faster loop, one line further down.
    (goto-char (point-min))
    (forward-line 1)
    (insert "	# a new line\n")
    (search-forward "%ymm0, %ymm0")
    (replace-match "%ymm1, %ymm0")
    (eglot--signal-textDocument/didChange)
    (should (string-match-p "\\` IPC [0-9.]+ · 1\\.[0-9] cyc" (mca-hint-on (mca-line-of ".Lloop:"))))
    (goto-char (point-max))
    (insert "	bogus %rax\n")
    (eglot--signal-textDocument/didChange)
    (mca-await-diagnostic (mca-line-of "bogus") "bogus")))

(ert-deftest mca-c++-is-analysed-on-open-and-save ()
  (mca-with-file "sum.cpp" mca-source
    (should (string-match-p "cyc" (mca-hint-on (mca-line-of "for (int"))))
    (mca-await-diagnostic (mca-line-of "for (int") "chain")
    (mca-expect-plain (mca-hover-at "for (int"))
    (goto-char (point-min))
    (search-forward "values[i]")
    (replace-match "undeclared[i]")
    (save-buffer)
    (mca-await-diagnostic (mca-line-of "undeclared") "undeclared")))

(provide 'eglot_test)
;;; eglot_test.el ends here
